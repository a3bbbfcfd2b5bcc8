export const hibernateMutation =
  'mutation ($id: String!) { hibernateRuntime(id: $id) { id operation state stage message runtimeID compassRuntimeID } }';
export const wakeUpMutation =
  'mutation ($id: String!) { wakeUpRuntime(id: $id) { id operation state stage message runtimeID compassRuntimeID } }';

export const hibernationQuery = `query ($id: String!) { runtimeStatus(id: $id) {
  hibernationStatus { hibernated hibernationPossible }
  clusterStatus { state drift { field } }
  runtimeConnectionStatus { status errors { message } }
} }`;

export interface HibernationAnswer {
  readonly hibernationStatus: { readonly hibernated: boolean; readonly hibernationPossible: boolean } | null;
  readonly clusterStatus: { readonly state: string; readonly drift: readonly { readonly field: string }[] } | null;
  readonly runtimeConnectionStatus: {
    readonly status: string;
    readonly errors: readonly { readonly message: string }[] | null;
  };
}

const operation =
  'id operation state message runtimeID stage plan { changes { stage action to subject manifest fields { field from to } } }';

export const upgradeShootMutation = `mutation ($id: String!, $config: UpgradeShootInput!, $dryRun: Boolean) {
  upgradeShoot(id: $id, config: $config, dryRun: $dryRun) { ${operation} }
}`;
export const planUpgradeShootQuery = `query ($id: String!, $config: UpgradeShootInput!) {
  planUpgradeShoot(id: $id, config: $config) { changes { stage action to subject manifest fields { field from to } } }
}`;
export const administratorsQuery = `query ($id: String!) {
  runtimeStatus(id: $id) { runtimeConfiguration { administrators } }
}`;

export interface PlannedChangeAnswer {
  readonly stage: string | null;
  readonly action: string;
  readonly to: string;
  readonly subject: string;
  readonly manifest: Readonly<Record<string, unknown>> | null;
  readonly fields:
    | readonly { readonly field: string; readonly from: string | null; readonly to: string | null }[]
    | null;
}

export interface ShootChangeAnswer {
  readonly id: string;
  readonly operation: string;
  readonly state: string;
  readonly message: string;
  readonly runtimeID: string;
  readonly stage: string;
  readonly plan: { readonly changes: readonly PlannedChangeAnswer[] } | null;
}

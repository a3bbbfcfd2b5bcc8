import type { IssuedKubeconfig, KubeconfigRole } from '../generated/schema.ts';
import type { RuntimeView } from '../views.ts';

interface Arguments {
  readonly role: KubeconfigRole;
  readonly expirationSeconds: number;
}

const roles = { Admin: 'admin', Viewer: 'viewer' } as const satisfies Readonly<Record<KubeconfigRole, string>>;

export async function presentKubeconfig(view: RuntimeView, asked: Arguments): Promise<string | undefined> {
  return (await presentIssuedKubeconfig(view, asked))?.kubeconfig;
}

export async function presentIssuedKubeconfig(
  view: RuntimeView,
  { role, expirationSeconds: lifetimeSeconds }: Arguments,
): Promise<IssuedKubeconfig | undefined> {
  const found = await view.kubeconfig({ role: roles[role], lifetimeSeconds });
  return found && { role, kubeconfig: found.kubeconfig.reveal(), expiresAt: found.expiresAt };
}

import { Failure } from '../domain/failures.ts';
import type { RuntimeId, Tenant } from '../domain/ids.ts';
import type { OwnedName, OwnedObjects } from '../domain/owned-objects.ts';
import { tenantMark } from '../domain/tenant-mark.ts';
import type { Director, DirectorRuntime } from './director.ts';
import { installationLabel, registrationLabel } from './registration.ts';

/** Of a page of the Director's list. */
const entriesPerRequest = 100;
/** What the gateways take before they give up is too long for a search that is repeated. */
const patience = 20_000;

/** The entries in the Director that this installation has made. A scope is a tenant. */
export function ownedEntries({
  director,
  installation,
}: {
  readonly director: Director;
  readonly installation: string;
}): OwnedObjects {
  const callFor = (tenant: string, signal: AbortSignal) => ({ tenant: tenant as Tenant, signal, patience });

  async function read({ uid }: OwnedName, tenant: string, signal: AbortSignal): Promise<DirectorRuntime | undefined> {
    const entry = await unlessNoTenant(director.runtime(uid as RuntimeId, callFor(tenant, signal)));
    return entry?.labels[installationLabel] === installation ? entry : undefined;
  }

  return {
    async search(tenant, signal) {
      const found = director.findByLabel(installationLabel, installation, callFor(tenant, signal));
      const entries = (await unlessNoTenant(found)) ?? [];
      const objects = entries.map(({ id, name, labels }) => ({
        ...{ uid: id, name, place: '', runtimeId: id, installation, tenantMark: tenantMark(tenant as Tenant) },
        intent: textOf(labels[registrationLabel]),
        createdAt: undefined,
      }));
      return { objects, requests: Math.max(1, Math.ceil(entries.length / entriesPerRequest)) };
    },
    exists: async (object, tenant, signal) => (await read(object, tenant, signal)) !== undefined,
    async remove(object, tenant, signal) {
      const entry = await read(object, tenant, signal);
      if (entry) await director.unregister(entry.id, callFor(tenant, signal));
    },
  };
}

/** A tenant that is gone took its entries with it. */
async function unlessNoTenant<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Failure && error.code === 'DIRECTOR_TENANT_INVALID') return undefined;
    throw error;
  }
}

function textOf(label: unknown): string | undefined {
  return typeof label === 'string' ? label : undefined;
}

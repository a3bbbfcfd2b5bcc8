import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tenant } from './ids.ts';

/** For whom something is done: a tenant's caller, who waits for the answer, or one of its operations. */
export interface Party {
  readonly kind: 'caller' | 'operation';
  readonly tenant: Tenant;
}

const parties = new AsyncLocalStorage<Party>();

/** Whatever `work` does, also later, is done on behalf of this party. */
export function onBehalfOf<Result>(party: Party, work: () => Result): Result {
  return parties.run(party, work);
}

/** Undefined: the service does it for itself. */
export function currentParty(): Party | undefined {
  return parties.getStore();
}

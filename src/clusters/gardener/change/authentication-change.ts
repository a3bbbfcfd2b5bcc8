import { isDeepStrictEqual } from 'node:util';
import type { CallOptions, KubernetesClient } from '../../../kubernetes/kubernetes-client.ts';
import type { ChangeManifest } from '../../cluster-driver.ts';
import {
  bindAuthenticationConfigMap,
  readAuthenticationConfigMap,
  removeAuthenticationConfigMap,
  writeAuthenticationConfigMap,
} from '../authentication-config-map.ts';
import type { GardenerChange } from '../gardener-order.ts';
import { authenticationConfigMap } from '../shoot/authentication-config.ts';
import { judgeShoot } from '../shoot/judge-shoot.ts';
import type { Shoot } from '../shoot/shoot.ts';
import { orderAfter } from './check-change.ts';
import { asText } from './field-rule.ts';

const operation = 'gardener.cloud/operation';

/**
 * Keeps the ConfigMap with the issuer in step with the Shoot that names it: it is there before the Shoot names it, and
 * goes only after. Each part may be repeated.
 */
export interface AuthenticationChange {
  plan(signal: AbortSignal): Promise<readonly ChangeManifest[]>;
  before(shoot: Shoot, signal: AbortSignal): Promise<void>;
  /**
   * Annotations that make Gardener read the ConfigMap again, which it does not do by itself; undefined when there is
   * nothing new in it.
   */
  reconciliation(shoot: Shoot): Readonly<Record<string, string>> | undefined;
  after(signal: AbortSignal): Promise<void>;
  /** After Gardener has refused the Shoot's change. */
  undo(signal: AbortSignal): Promise<void>;
}

export function authenticationChange({
  client,
  namespace,
  change,
}: {
  client: KubernetesClient;
  namespace: string;
  change: GardenerChange;
}): AuthenticationChange {
  const [before, after] = [change.order, orderAfter(change)];
  const [from, to] = [before, after].map((order) => order.cluster.config.oidcConfig);
  const place = { client, namespace };
  const differs = change.fields.includes('oidcConfig') && !isDeepStrictEqual(from, to);
  const isAsked = change.fields.includes('oidcConfig') && (from !== undefined || to !== undefined);
  const options = (signal: AbortSignal): CallOptions => ({ signal });
  /** Somebody may have edited it: what was asked for is what it is to hold. */
  let rewritten = false;

  async function present(signal: AbortSignal): Promise<unknown> {
    const found = await readAuthenticationConfigMap({ ...place, order: after }, options(signal));
    return found?.data;
  }

  return {
    async plan(signal) {
      if (!isAsked) return [];
      const wanted = authenticationConfigMap(after, namespace);
      const live = await present(signal);
      const fields = [{ field: 'oidcConfig', from: asText(from), to: asText(to) }];
      const subject = `ConfigMap ${after.cluster.name}`;
      if (!wanted || isDeepStrictEqual(live, wanted.data)) return [];
      return [{ subject, manifest: live === undefined ? wanted : { data: wanted.data }, fields }];
    },

    async before(shoot, signal) {
      if (!isAsked || to === undefined) return;
      const wanted = authenticationConfigMap(after, namespace);
      if (isDeepStrictEqual(await present(signal), wanted?.data)) return;
      await writeAuthenticationConfigMap({ ...place, order: after }, options(signal));
      await bindAuthenticationConfigMap({ ...place, order: after }, shoot, options(signal));
      rewritten = true;
    },

    reconciliation(shoot) {
      // What is not stored yet may have been written by an earlier attempt that got no further.
      if (to === undefined || !(rewritten || differs)) return undefined;
      const pending = shoot.metadata.annotations?.[operation];
      // Whatever else was asked of Gardener, it reads the ConfigMap on the way.
      if (pending !== undefined && pending !== 'retry') return undefined;
      return { [operation]: judgeShoot(shoot).state === 'failed' ? 'retry' : 'reconcile' };
    },

    async after(signal) {
      if (isAsked && to === undefined)
        await removeAuthenticationConfigMap({ ...place, order: before }, options(signal));
    },

    async undo(signal) {
      if (to === undefined || !(rewritten || differs)) return;
      if (from) await writeAuthenticationConfigMap({ ...place, order: before }, options(signal));
      else await removeAuthenticationConfigMap({ ...place, order: after }, options(signal));
    },
  };
}

import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { ClusterConnection, ConnectionSource } from '../kubernetes/cluster-connection.ts';
import { parseKubeconfig } from '../kubernetes/kubeconfig.ts';
import type { IssuedKubeconfig } from './cluster-driver.ts';

interface IssuedConnectionSettings {
  readonly issue: () => Promise<IssuedKubeconfig>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Held {
  readonly connection: ClusterConnection;
  readonly issuedAt: number;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** A cluster that refuses every credential must not be asked for a new one with every request. */
const shortestRenewalMs = 10_000;

/** Of a kubeconfig that does not say when it ends. */
const assumedLifetimeMs = 3_600_000;

/** A connection from issued kubeconfigs: renewed, once for all who wait, at 60 % of its lifetime or when refused. */
export function issuedConnection({ issue, clock, log }: IssuedConnectionSettings): ConnectionSource {
  let held: Held | undefined;
  let issuing: Promise<ClusterConnection> | undefined;

  async function renew(): Promise<ClusterConnection> {
    const issuedAt = clock.now();
    const { kubeconfig, expiresAt } = await issue();
    const connection = parseKubeconfig({ text: kubeconfig, source: 'issued for a cluster' });
    const lifetime = expiresAt ? expiresAt.getTime() - issuedAt : assumedLifetimeMs;
    held = { connection, issuedAt, renewAt: issuedAt + lifetime * 0.6, expiresAt: issuedAt + lifetime };
    return connection;
  }

  function renewOnce(): Promise<ClusterConnection> {
    issuing ??= renew().finally(() => {
      issuing = undefined;
    });
    return issuing;
  }

  return {
    async current({ rejected } = {}) {
      const now = clock.now();
      if (!held || now >= held.expiresAt) return renewOnce();
      const refused = rejected === held.connection && now - held.issuedAt >= shortestRenewalMs;
      if (!refused && now < held.renewAt) return held.connection;
      const { connection } = held;
      return renewOnce().catch((error: unknown) => {
        log.warn({ err: error }, 'a kubeconfig could not be renewed; the one at hand is used until it expires');
        return connection;
      });
    },
  };
}

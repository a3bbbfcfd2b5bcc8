import { gkeClient } from '../clusters/gke/gke-client.ts';
import { type GkeDriver, gkeDriver } from '../clusters/gke/gke-driver.ts';
import { findCredentials } from '../clusters/gke/google/find-credentials.ts';
import { googleConnections } from '../clusters/gke/google/google-exchange.ts';
import { GoogleTokens } from '../clusters/gke/google/google-tokens.ts';
import type { Config } from '../config-shape.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { WakeKey } from '../domain/outcome.ts';
import type { KubernetesClient } from '../kubernetes/kubernetes-client.ts';

/** The driver for clusters straight from GKE; until it is asked for one, it asks nobody for anything. */
export function connectGke({
  config: { endpoint, credentialsNamespace },
  management,
  resources,
  installation,
  onChange,
  log,
}: {
  config: Config['gke'];
  /** The cluster that holds the keys; asked for only when one is read. */
  management: () => Promise<KubernetesClient>;
  resources: AsyncDisposableStack;
  /** The mark of this installation. */
  installation: string;
  onChange: (key: WakeKey) => void;
  log: Logger;
}): GkeDriver {
  const dispatcher = googleConnections();
  resources.defer(() => dispatcher.close());
  const place = { client: management, namespace: credentialsNamespace, trustedOrigin: endpoint };
  const tokens = new GoogleTokens({
    ...{ dispatcher, clock: systemClock },
    readKey: (secretName, signal) => findCredentials({ place, secretName, signal }),
  });
  const driver = gkeDriver({
    client: gkeClient({ endpoint, tokens, dispatcher }),
    tokens,
    installation,
    onChange,
    log,
  });
  resources.defer(() => driver.stop());
  return driver;
}

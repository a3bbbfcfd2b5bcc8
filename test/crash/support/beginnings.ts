import type { OperationKind } from '../../../src/domain/operation.ts';
import { hibernateMutation, wakeUpMutation } from '../../flows/hibernation-documents.ts';
import { upgradeShootMutation } from '../../flows/shoot-change-documents.ts';
import { upgradeMutation } from '../../flows/upgrade-documents.ts';
import type { Caller } from './caller.ts';

/** How an operation is begun on a Runtime with Kyma and an administrator, and so that none of its stages is skipped. */
interface Beginning {
  /** What has to be done with the Runtime before. */
  readonly after?: FurtherKind;
  begin(caller: Caller, id: string): Promise<unknown>;
}

/** What can be done with a Runtime that is provisioned. */
export type FurtherKind = Exclude<OperationKind, 'Provision'>;

const reconnectMutation = 'mutation ($id: String!) { reconnectRuntimeAgent(id: $id) }';
const upgrade = { kymaConfig: { version: '1.2.0' }, clusterConfig: { kubernetesVersion: '1.35.1' } };
const change = { administrators: ['other@example.com'], gardenerConfig: { autoScalerMax: 5 } };

/** A line for each; in an order in which all can be done with one Runtime. */
export const beginnings: Readonly<Record<FurtherKind, Beginning>> = {
  ReconnectRuntime: { begin: ({ api }, id) => api.ask(reconnectMutation, { id }) },
  UpgradeShoot: { begin: ({ api }, id) => api.ask(upgradeShootMutation, { id, config: change }) },
  Upgrade: { begin: ({ api }, id) => api.ask(upgradeMutation, { id, config: upgrade }) },
  Hibernate: { begin: ({ api }, id) => api.ask(hibernateMutation, { id }) },
  WakeUp: { after: 'Hibernate', begin: ({ api }, id) => api.ask(wakeUpMutation, { id }) },
  Deprovision: { begin: ({ deprovision }, id) => deprovision(id) },
};

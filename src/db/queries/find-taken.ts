import type { RuntimeId } from '../../domain/ids.ts';
import type { ClusterRecord } from '../../domain/runtime.ts';
import { clusterPlace } from '../cluster-place.ts';
import type { Database } from '../database.ts';
import { statement } from '../statement.ts';

const taken = statement<{ id: boolean; cluster_name: boolean }>(
  'find-taken',
  `SELECT EXISTS (SELECT FROM runtime WHERE id = $1) AS id,
    EXISTS (SELECT FROM runtime WHERE driver = $2 AND cluster_name = $3 AND
      cluster_place = $4 AND deleted_at IS NULL) AS cluster_name`,
);

/** Whether a new Runtime of this id, with a cluster of this name, would be refused because another one has it. */
export async function findTaken(options: {
  readonly database: Database;
  readonly id: RuntimeId;
  readonly cluster: ClusterRecord;
}): Promise<{ readonly id: boolean; readonly clusterName: boolean }> {
  const { database, id, cluster } = options;
  const [row] = await database.run(taken, [id, cluster.driver, cluster.name, clusterPlace(cluster)]);
  return { id: row?.id === true, clusterName: row?.cluster_name === true };
}

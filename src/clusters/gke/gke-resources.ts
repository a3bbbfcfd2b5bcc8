import { z } from 'zod';

/** The part of the API's resources that is read; what is unknown is left alone, what is empty is absent. */
const nodePool = z.object({
  name: z.string(),
  status: z.string().optional(),
  version: z.string().optional(),
  initialNodeCount: z.number().optional(),
  locations: z.array(z.string()).optional(),
});

export const gkeCluster = z.object({
  name: z.string(),
  id: z.string().optional(),
  location: z.string().optional(),
  createTime: z.string().optional(),
  status: z.string().optional(),
  statusMessage: z.string().optional(),
  conditions: z.array(z.object({ code: z.string().optional(), message: z.string().optional() })).optional(),
  endpoint: z.string().optional(),
  masterAuth: z.object({ clusterCaCertificate: z.string().optional() }).optional(),
  currentMasterVersion: z.string().optional(),
  nodePools: z.array(nodePool).optional(),
  resourceLabels: z.record(z.string(), z.string()).optional(),
});
export type GkeClusterState = z.output<typeof gkeCluster>;

export const gkeOperation = z.object({
  name: z.string(),
  operationType: z.string().optional(),
  status: z.string().optional(),
  targetLink: z.string().optional(),
  startTime: z.string().optional(),
  endTime: z.string().optional(),
  statusMessage: z.string().optional(),
  error: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
  progress: z
    .object({
      metrics: z.array(z.object({ name: z.string().optional(), intValue: z.coerce.number().optional() })).optional(),
    })
    .optional(),
});
export type GkeOperationState = z.output<typeof gkeOperation>;

export const gkeClusters = z.object({
  clusters: z.array(gkeCluster).optional(),
  /** Locations that did not answer: a list without them proves nothing about their clusters. */
  missingZones: z.array(z.string()).optional(),
});
export const gkeOperations = z.object({ operations: z.array(gkeOperation).optional() });
export const gkeServerConfig = z.object({ validMasterVersions: z.array(z.string()).optional() });

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../../domain/failures.ts';
import type { ConfigurationEntry, KymaConfig, KymaInstallation } from '../../domain/kyma-config.ts';
import { artifactSchema } from '../artifact-schema.ts';

const installerPlan = z.object({
  version: z.literal(1),
  /** Such as `1.24.11`. */
  release: z.string(),
  installer: artifactSchema,
  tiller: artifactSchema.optional(),
  /** In the order of installation. */
  components: z.array(z.object({ name: z.string(), namespace: z.string(), sourceURL: z.string().optional() })),
  /** Components that stay in the cluster as they are: the release does not have them, and no upgrade removes any. */
  leftBehind: z.array(z.string()).optional(),
});

export type InstallerPlan = z.infer<typeof installerPlan>;

export function readInstallerPlan(installation: KymaInstallation): InstallerPlan {
  const parsed = installerPlan.safeParse(installation.plan);
  if (parsed.success) return parsed.data;
  throw new Failure('KYMA_INSTALLATION_FAILED', 'the stored plan of the Kyma installation cannot be read', {
    cause: parsed.error,
  });
}

/** Tells installations apart that differ in anything but the values of confidential entries. */
export function installationDigest({ plan, config }: KymaInstallation): string {
  const { profile, configuration, components } = config;
  const content = {
    ...{ plan, profile, configuration: withoutSecrets(configuration) },
    components: components.map(({ component, configuration: own }) => [component, withoutSecrets(own)]),
  };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
}

/** What a caller may be shown of configuration entries. */
export function withoutSecrets(entries: readonly ConfigurationEntry[] | undefined) {
  return (entries ?? []).map(({ key, value, secret }) => (secret === true ? { key, secret } : { key, value }));
}

export function entriesOf(config: KymaConfig, component: string): readonly ConfigurationEntry[] {
  return config.components.find((each) => each.component === component)?.configuration ?? [];
}

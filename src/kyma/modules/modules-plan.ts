import { z } from 'zod';
import { Failure } from '../../domain/failures.ts';
import type { KymaInstallation } from '../../domain/kyma-config.ts';
import { type KymaRelease, moduleRelease } from '../catalogue-file.ts';

const plannedModule = moduleRelease.extend({ name: z.string().min(1) });

const modulesPlan = z.object({
  version: z.literal(1),
  /** The catalogue's release that a channel stood for when the plan was made. */
  release: z.string(),
  /** Each after those that it requires. */
  modules: z.array(plannedModule),
  /** Modules beside those of the active plan that an earlier upgrade may have left on the cluster. */
  leftBehind: z.array(plannedModule).optional(),
});

export type PlannedModule = z.infer<typeof plannedModule>;
export type ModulesPlan = z.infer<typeof modulesPlan>;

/** Plans `names` and everything that they require, each after what it requires. All of them must exist. */
export function planModules(options: {
  readonly release: string;
  readonly modules: KymaRelease['modules'];
  readonly names: readonly string[];
}): ModulesPlan {
  const { release, modules, names } = options;
  const planned = new Map<string, PlannedModule>();
  const add = (name: string) => {
    const found = modules[name];
    if (!found || planned.has(name)) return;
    found.requires.forEach(add);
    planned.set(name, { ...found, name });
  };
  names.forEach(add);
  return { version: 1, release, modules: [...planned.values()] };
}

export function readPlan(installation: KymaInstallation): ModulesPlan {
  const parsed = modulesPlan.safeParse(installation.plan);
  if (parsed.success) return parsed.data;
  throw new Failure('KYMA_INSTALLATION_FAILED', 'the stored plan of the Kyma installation cannot be read', {
    cause: parsed.error,
  });
}

import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import { readPath } from '../../../domain/json.ts';
import type { Mistake } from '../checks/mistake.ts';
import type { ProviderSupport } from '../providers/provider-support.ts';
import type { Shoot } from '../shoot/shoot.ts';
import { workerPool } from '../shoot/worker-pool.ts';
import { type Draft, put } from './shoot-draft.ts';

/** A change of configuration, as the rules see it. */
export interface ChangeSubject {
  /** As it is stored. */
  readonly before: GardenerConfig;
  readonly after: GardenerConfig;
  readonly provider: ProviderSupport;
  /** Undefined while Gardener does not answer. */
  readonly live: Shoot | undefined;
}

/** Something newer that the Shoot has, and keeps. */
export interface Kept {
  readonly value: string;
  readonly message: string;
}

/** How a field of the configuration becomes another one on a live Shoot. */
export interface FieldRule {
  /** Below the configuration, such as `providerSpecificConfig.gcpConfig.zones`. */
  readonly field: string;
  /** Why it cannot become what is asked for. */
  mistakes?(subject: ChangeSubject): Iterable<Mistake>;
  /** What a Shoot has of it. */
  read(shoot: object): unknown;
  /** Makes it so in a draft of the live Shoot, and leaves everything else in it alone. */
  write(draft: Draft, subject: ChangeSubject): Kept | undefined;
}

/** A field that nobody may change; without a rule for a Shoot because it never gets there. */
export interface FixedField {
  /** Completes "... cannot be changed: ". */
  readonly fixed: string;
}

/** A field that stands at one place of a Shoot. */
export function setting(field: keyof GardenerConfig, ...path: readonly string[]): FieldRule {
  return {
    field,
    read: (shoot) => readPath(shoot, ...path),
    write: (draft, { after }) => void put(draft, path, after[field]),
  };
}

/** A field of our pool of nodes. */
export function ofWorkers(
  field: keyof GardenerConfig,
  path: readonly string[],
  convert: (config: GardenerConfig) => unknown = (config) => config[field],
): FieldRule {
  return {
    field,
    read: (shoot) => readPath(workerPool(shoot), ...path),
    write: (draft, { after }) => {
      const pool = workerPool(draft);
      if (pool) put(pool, path, convert(after));
      return undefined;
    },
  };
}

/** `a`, `{"b":1}`; undefined for what is not there. */
export function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `... cannot be changed from a to b: because`. */
export function unchangeable(field: string, from: unknown, to: unknown, because: string): Mistake {
  const name = field.split('.').at(-1);
  const [before = 'nothing', after = 'nothing'] = [asText(from), asText(to)];
  return { path: field, message: `${name} cannot be changed from ${before} to ${after}: ${because}` };
}

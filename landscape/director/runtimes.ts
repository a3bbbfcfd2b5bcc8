import { randomUUID } from 'node:crypto';
import { DirectorError } from './director-error.ts';
import { parseLabelQuery } from './label-query.ts';

export type RuntimeCondition = 'INITIAL' | 'PROVISIONING' | 'CONNECTED' | 'FAILED';
export type Labels = Record<string, unknown>;

/** A Runtime as the Director keeps it. */
export interface RegisteredRuntime {
  readonly id: string;
  readonly tenant: string;
  readonly createdAt: string;
  name: string;
  description: string | undefined;
  labels: Labels;
  condition: RuntimeCondition;
  conditionSince: string;
}

export interface RuntimeInput {
  readonly name: string;
  readonly description?: string | null;
  readonly labels?: Labels | null;
  readonly statusCondition?: RuntimeCondition | null;
}

const immutableLabels = new Set(['runtimeType', 'xsappnameCMPClone', 'CMPSaaSAppName']);
const protectedLabel = /^.*_defaultEventing$/;
const labelKey = /^[a-zA-Z0-9_]+$/;
const runtimeName = /^[a-zA-Z0-9\-._]{1,256}$/;

/** The Director's Runtimes with its rules, unfriendly ones included. Not idempotent: each `register` adds one. */
export class Runtimes {
  readonly #runtimes = new Map<string, RegisteredRuntime>();
  readonly #subAccounts = new Map<string, string>();

  register(tenant: string, input: RuntimeInput): RegisteredRuntime {
    checkInput('RuntimeRegisterInput', input);
    this.#checkSubAccount(tenant, input.labels?.global_subaccount_id);
    for (const key of Object.keys(input.labels ?? {})) checkMutable(key);
    const now = new Date().toISOString();
    const runtime: RegisteredRuntime = {
      id: randomUUID(),
      tenant,
      createdAt: now,
      name: input.name,
      description: input.description ?? undefined,
      // An integration system registers Kyma runtimes, and the Director notes that.
      labels: { isNormalized: 'true', ...input.labels, runtimeType: 'kyma' },
      condition: input.statusCondition ?? 'INITIAL',
      conditionSince: now,
    };
    this.#runtimes.set(runtime.id, runtime);
    return runtime;
  }

  /** Labels that are neither protected nor immutable and not given again are gone afterwards. */
  update(tenant: string, id: string, input: RuntimeInput): RegisteredRuntime {
    const runtime = this.require(tenant, id);
    checkInput('RuntimeUpdateInput', input);
    if (input.labels && 'scenarios' in input.labels) {
      throw new DirectorError(10, 'Internal Server Error', {
        reason: 'label with key "scenarios" cannot be set explicitly',
      });
    }
    for (const key of Object.keys(input.labels ?? {})) checkMutable(key);
    const kept = Object.entries(runtime.labels).filter(([key]) => protectedLabel.test(key) || immutableLabels.has(key));
    runtime.name = input.name;
    runtime.description = input.description ?? undefined;
    runtime.labels = { isNormalized: 'true', ...Object.fromEntries(kept), ...input.labels };
    this.setCondition(runtime, input.statusCondition ?? 'INITIAL');
    return runtime;
  }

  setCondition(runtime: RegisteredRuntime, condition: RuntimeCondition): void {
    runtime.condition = condition;
    runtime.conditionSince = new Date().toISOString();
  }

  unregister(tenant: string, id: string): RegisteredRuntime {
    const runtime = this.require(tenant, id);
    this.#runtimes.delete(id);
    return runtime;
  }

  find(tenant: string, id: string): RegisteredRuntime | undefined {
    const runtime = this.#runtimes.get(id);
    return runtime?.tenant === tenant ? runtime : undefined;
  }

  findAnywhere(id: string): RegisteredRuntime | undefined {
    return this.#runtimes.get(id);
  }

  require(tenant: string, id: string): RegisteredRuntime {
    const runtime = this.find(tenant, id);
    if (!runtime) throw new DirectorError(20, 'Object not found', { object: 'runtime' });
    return runtime;
  }

  /** In the order of registration. */
  list(tenant: string, filters: readonly { key: string; query?: string | null }[] = []): RegisteredRuntime[] {
    const tests = filters.map(({ key, query }) => ({ key, holds: parseLabelQuery(query) }));
    return this.all().filter(
      (runtime) =>
        runtime.tenant === tenant &&
        tests.every(({ key, holds }) => key in runtime.labels && holds(runtime.labels[key])),
    );
  }

  all(): RegisteredRuntime[] {
    return [...this.#runtimes.values()];
  }

  setLabel(tenant: string, id: string, key: string, value: unknown): void {
    const runtime = this.require(tenant, id);
    checkLabelKey(key, 'LabelInput');
    checkMutable(key);
    if (key === 'scenarios') {
      throw new DirectorError(10, 'Internal Server Error', {
        reason: 'label with key "scenarios" cannot be set explicitly',
      });
    }
    runtime.labels[key] = value;
  }

  deleteLabel(tenant: string, id: string, key: string): unknown {
    const runtime = this.require(tenant, id);
    if (!(key in runtime.labels)) throw new DirectorError(20, 'Object not found', { object: 'label' });
    checkMutable(key);
    const value = runtime.labels[key];
    delete runtime.labels[key];
    return value;
  }

  /** An unknown sub-account is fetched on demand, as a child of the tenant that names it. */
  #checkSubAccount(tenant: string, subAccount: unknown): void {
    if (typeof subAccount !== 'string') return;
    const parent = this.#subAccounts.get(subAccount) ?? tenant;
    if (parent !== tenant) {
      throw new DirectorError(27, 'The operation is not allowed', {
        reason: `tenant "${subAccount}" is not a child of the caller's tenant`,
      });
    }
    this.#subAccounts.set(subAccount, parent);
  }
}

function checkInput(type: string, { name, description, labels }: RuntimeInput): void {
  if (!runtimeName.test(name)) {
    throw new DirectorError(22, `Invalid data ${type}`, {
      name: 'must consist of 1 to 256 letters, digits, "-", "." or "_"',
    });
  }
  if ((description?.length ?? 0) > 2000) {
    throw new DirectorError(22, `Invalid data ${type}`, { description: 'the length must be no more than 2000' });
  }
  for (const key of Object.keys(labels ?? {})) checkLabelKey(key, type);
}

function checkLabelKey(key: string, type: string): void {
  if (labelKey.test(key)) return;
  throw new DirectorError(22, `Invalid data ${type}`, { labels: `(${key}: must be in a valid format)` });
}

function checkMutable(key: string): void {
  if (immutableLabels.has(key))
    throw new DirectorError(22, 'Invalid data Label', { key: `label "${key}" is immutable` });
}

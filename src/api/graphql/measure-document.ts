import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { RequestLimits } from '../request-limits.ts';

/** What a document asks for: of the most demanding of its operations, with fragments counted wherever they are used. */
export type Measures = Pick<RequestLimits, 'depth' | 'rootFields' | 'aliases' | 'selections' | 'cost'>;

/** Pages: how many entries each list has when a query does not say. */
export type PageSizes = Readonly<Record<string, number>>;

/** Points for fields that take more than reading a value that is there; every other field has 1. */
const costs: Readonly<Record<string, number>> = {
  // Reads through the whole schema.
  __schema: 20_000,
  __type: 2_000,
  // Ask the provider of the cluster, or have it check a whole order.
  kubeconfig: 500,
  issuedKubeconfig: 500,
  planProvision: 500,
  planDeprovision: 500,
  planUpgradeShoot: 500,
  provisionRuntime: 500,
  deprovisionRuntime: 500,
  upgradeRuntime: 500,
  upgradeShoot: 500,
  hibernateRuntime: 500,
  wakeUpRuntime: 500,
  // Reads of its own.
  configurationChange: 20,
  queuePosition: 20,
  // Asks the cluster.
  runtimeConnectionStatus: 100,
  // Searches Gardener, a project or the Director.
  removeOrphan: 500,
  // Asks the provider, the cluster and the Director.
  reconnectRuntimeAgent: 500,
};

/** Of a part of a document. */
interface Part {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly cost: number;
}

const nothing: Part = { depth: 0, fields: 0, aliases: 0, cost: 0 };

/**
 * Counts in one pass, before anything is validated. The cost is the number of fields that the answer can have: a field
 * in a page counts as often as the page has entries at most, which is `first`, or `largestPage` when `first` is a
 * variable. Fields with a price of their own (`costs`) count more.
 */
export function measureDocument(
  document: DocumentNode,
  { pageSizes, largestPage }: { pageSizes: PageSizes; largestPage: number },
): Measures {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, Part>();
  let selections = 0;

  function ofSelections({ selections: selected }: SelectionSetNode): Part {
    selections += selected.length;
    let sum = nothing;
    for (const selection of selected) {
      switch (selection.kind) {
        case Kind.FIELD:
          sum = together(sum, ofField(selection));
          break;
        case Kind.INLINE_FRAGMENT:
          sum = together(sum, ofSelections(selection.selectionSet));
          break;
        case Kind.FRAGMENT_SPREAD:
          sum = together(sum, ofFragment(selection.name.value));
      }
    }
    return sum;
  }

  function ofFragment(name: string): Part {
    const known = measured.get(name);
    if (known) return known;
    // In a circle, which validation refuses, it counts nothing.
    measured.set(name, nothing);
    const fragment = fragments.get(name);
    const part = fragment ? ofSelections(fragment.selectionSet) : nothing;
    measured.set(name, part);
    return part;
  }

  function ofField(field: FieldNode): Part {
    const { name, alias, arguments: given = [], selectionSet } = field;
    const below = selectionSet ? ofSelections(selectionSet) : nothing;
    const inArguments = given.reduce((deepest, { value }) => Math.max(deepest, valueDepth(value)), 0);
    return {
      depth: 1 + Math.max(below.depth, inArguments),
      fields: 1,
      aliases: below.aliases + (alias ? 1 : 0),
      cost: (costs[name.value] ?? 1) + below.cost * entriesOf(field),
    };
  }

  function entriesOf({ name, arguments: given = [] }: FieldNode): number {
    const usual = Object.hasOwn(pageSizes, name.value) ? pageSizes[name.value] : undefined;
    if (usual === undefined) return 1;
    const first = given.find((argument) => argument.name.value === 'first')?.value;
    if (first === undefined) return usual;
    return first.kind === Kind.INT ? Math.min(Math.max(Number(first.value), 1), largestPage) : largestPage;
  }

  let most = nothing;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) ofFragment(definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const part = ofSelections(definition.selectionSet);
    most = {
      depth: Math.max(most.depth, part.depth),
      fields: Math.max(most.fields, part.fields),
      aliases: Math.max(most.aliases, part.aliases),
      cost: Math.max(most.cost, part.cost),
    };
  }
  const { depth, fields, aliases, cost } = most;
  return { depth, rootFields: fields, aliases, selections, cost };
}

function together(one: Part, other: Part): Part {
  return {
    depth: Math.max(one.depth, other.depth),
    fields: one.fields + other.fields,
    aliases: one.aliases + other.aliases,
    cost: one.cost + other.cost,
  };
}

function valueDepth(value: ValueNode): number {
  switch (value.kind) {
    case Kind.LIST:
      return 1 + value.values.reduce((deepest, member) => Math.max(deepest, valueDepth(member)), 0);
    case Kind.OBJECT:
      return 1 + value.fields.reduce((deepest, member) => Math.max(deepest, valueDepth(member.value)), 0);
    default:
      return 0;
  }
}

import type { GardenerConfig } from '../../../domain/gardener-config.ts';
import { type Cidr, contains, overlaps, readCidr } from '../../cidr.ts';
import type { NamedRange, RangeRules } from '../providers/provider-support.ts';
import { defaultPodsCidr, defaultServicesCidr } from '../shoot/extenders.ts';
import type { Mistake } from './mistake.ts';

/** 240.0.0.0/8 to 244.0.0.0/8: Gardener maps other networks there. */
const reservedOctets = { from: 240, to: 244 };

/** Every range must be one, lie where the cloud needs it, and keep out of the way of the others. */
export function checkNetworks(config: GardenerConfig, { ranges, inside, disjoint }: RangeRules): readonly Mistake[] {
  const pods = named('podsCidr', config.podsCidr, defaultPodsCidr);
  const services = named('servicesCidr', config.servicesCidr, defaultServicesCidr);

  const mistakes: Mistake[] = [];
  const read = new Map<NamedRange, Cidr>();
  for (const range of [...ranges, pods, services]) {
    const reading = readCidr(range.text);
    if ('mistake' in reading) mistakes.push({ path: range.path, message: `${show(range)} ${reading.mistake}` });
    else {
      read.set(range, reading.cidr);
      if (isReserved(reading.cidr)) {
        const message = `${show(range)} is reserved by Gardener, as are 240.0.0.0/8 to 244.0.0.0/8`;
        mistakes.push({ path: range.path, message });
      }
    }
  }
  const holds = (pair: readonly [NamedRange, NamedRange], test: (one: Cidr, other: Cidr) => boolean): boolean => {
    const [one, other] = pair.map((range) => read.get(range));
    return one !== undefined && other !== undefined && test(one, other);
  };

  for (const [inner, outer] of inside) {
    if (holds([outer, inner], (one, other) => !contains(one, other))) {
      mistakes.push({ path: inner.path, message: `${show(inner)} is not inside ${show(outer)}` });
    }
  }
  const seen = new Set<string>();
  for (const group of disjoint) {
    for (const [one, other] of pairs([...group, pods, services])) {
      const key = `${one.path} ${other.path}`;
      if (seen.has(key) || !holds([one, other], overlaps)) continue;
      seen.add(key);
      mistakes.push({ path: one.path, message: `${show(one)} overlaps ${show(other)}` });
    }
  }
  return mistakes;
}

function named(path: string, given: string | undefined, fallback: string): NamedRange & { isDefault?: true } {
  return given === undefined ? { path, text: fallback, isDefault: true } : { path, text: given };
}

/** `workerCidr 10.250.0.0/22`, without the way to it. */
function show(range: NamedRange & { isDefault?: true }): string {
  const name = range.path.replace(/^providerSpecificConfig\.\w+\./, '');
  return `${name} ${range.text === '' ? '""' : range.text}${range.isDefault ? ' (the default)' : ''}`;
}

function isReserved({ first, prefix }: Cidr): boolean {
  const last = first + 2 ** (32 - prefix) - 1;
  const octet = (address: number) => Math.floor(address / 2 ** 24);
  return octet(first) <= reservedOctets.to && octet(last) >= reservedOctets.from;
}

function pairs<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}

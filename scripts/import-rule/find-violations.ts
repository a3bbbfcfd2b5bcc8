import { readFileSync } from 'node:fs';
import { type Layer, layers } from './layers.ts';
import type { Import } from './read-imports.ts';

/** One sentence for each import that goes against the layers, and for each cycle. */
export function findViolations(imports: readonly Import[], productionPackages = readProductionPackages()): string[] {
  return [...new Set(imports.flatMap((item) => judge(item, productionPackages))), ...findCycles(imports)];
}

function judge(item: Import, productionPackages: ReadonlySet<string>): string[] {
  const layer = layers.find(({ path }) => contains(path, item.from));
  if (layer === undefined) return [`${item.from}:1: no layer of scripts/import-rule/layers.ts has this file`];
  const place = `${item.from}:${item.line}`;
  if (!item.isFile) return judgePackage(item, layer, place, productionPackages);
  if (contains(layer.path, item.to)) return [];
  if (!item.to.endsWith('.ts')) return [];
  const allowed = layer.mayImport.some((entry) =>
    entry.startsWith('types:') ? item.typeOnly && contains(entry.slice(6), item.to) : contains(entry, item.to),
  );
  return allowed ? [] : [`${place}: ${layer.path} may not import ${item.to}`];
}

function judgePackage(item: Import, layer: Layer, place: string, productionPackages: ReadonlySet<string>): string[] {
  if (item.to.startsWith('node:') || layer.packages === 'all') return [];
  if (layer.packages === 'none') return [`${place}: ${layer.path} may not import the package ${item.to}`];
  if (item.typeOnly || productionPackages.has(item.to)) return [];
  return [`${place}: ${item.to} is not installed with the service (it is no dependency of package.json)`];
}

function contains(folderOrFile: string, file: string): boolean {
  return folderOrFile.endsWith('/') ? file.startsWith(folderOrFile) : file === folderOrFile;
}

/** Each file that reaches itself is named once, with the shortest way round. Types do not count: they are gone at run time. */
function findCycles(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to, isFile, typeOnly } of imports) {
    if (isFile && !typeOnly) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const reported = new Set<string>();
  const cycles: string[] = [];
  for (const start of targets.keys()) {
    const cycle = reported.has(start) ? undefined : shortestWayBack(start, targets);
    if (cycle === undefined) continue;
    for (const file of cycle) reported.add(file);
    cycles.push(`cycle: ${[...cycle, start].join(' -> ')}`);
  }
  return cycles;
}

function shortestWayBack(start: string, targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  let ways: string[][] = [[start]];
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const target of targets.get(way.at(-1) ?? '') ?? []) {
        if (target === start) return way;
        if (seen.has(target)) continue;
        seen.add(target);
        longer.push([...way, target]);
      }
    }
    ways = longer;
  }
  return undefined;
}

function readProductionPackages(): Set<string> {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'optionalDependencies',
    Record<string, string>
  >;
  return new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
}

const blocks = '▁▂▃▄▅▆▇█';

/** A line of text as high as its highest value, one character for each value. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, Number.MIN_VALUE);
  return values.map((value) => blocks[Math.min(7, Math.floor((value / most) * 8))]).join('');
}

/** One bar for each value, as long as its share of the largest. */
export function bars(rows: readonly (readonly [name: string, value: number, reads: string])[]): string {
  const most = Math.max(...rows.map(([, value]) => value), Number.MIN_VALUE);
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .map(([name, value, reads]) => `${name.padEnd(width)}  ${'█'.repeat(Math.round((value / most) * 40))} ${reads}`)
    .join('\n');
}

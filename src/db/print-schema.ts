import { sql } from 'kysely';
import type { Database } from './database.ts';

interface TableRow {
  readonly name: string;
  readonly comment: string | null;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

interface DefinitionRow {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** The tables as the migrations have made them, as Markdown. The same database prints the same text. */
export async function printSchema({ database }: { database: Database }): Promise<string> {
  const { kysely } = database;
  const { rows: tables } = await sql<TableRow>`
    SELECT c.relname AS name, obj_description(c.oid) AS comment FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'migration%'
    ORDER BY c.relname`.execute(kysely);
  const { rows: columns } = await sql<ColumnRow>`
    SELECT a.attrelid::regclass::text AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS default,
      col_description(a.attrelid, a.attnum) AS comment
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
      AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY a.attrelid, a.attnum`.execute(kysely);
  const { rows: constraints } = await sql<DefinitionRow>`
    SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f') ORDER BY conname`.execute(
    kysely,
  );
  const { rows: indexes } = await sql<DefinitionRow>`
    SELECT tablename AS table, indexname AS name, indexdef AS definition
    FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname`.execute(kysely);
  const sections = tables.map((table) => {
    const of = <Row extends { readonly table: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.table === table.name);
    return printTable(table, of(columns), [...of(constraints), ...of(indexes)]);
  });
  return `# Database schema\n\nPrinted from a migrated database by \`printSchema\`; do not edit.\n\n${sections.join('\n')}`;
}

function printTable(table: TableRow, columns: readonly ColumnRow[], definitions: readonly DefinitionRow[]): string {
  const rows = columns.map(({ name, type, required, default: standard, comment }) => {
    const kind = [type, required ? 'not null' : '', standard === null ? '' : `default ${standard}`];
    return `| ${name} | ${kind.filter(Boolean).join(', ')} | ${comment ?? ''} |`;
  });
  const rules = definitions.map(({ name, definition }) => `- ${name}: \`${definition.replace(/ USING btree/, '')}\``);
  return [
    `## ${table.name}`,
    ...['', table.comment ?? '', ''],
    ...['| Column | Type | Meaning |', '|---|---|---|', ...rows],
    ...['', ...rules, ''],
  ].join('\n');
}

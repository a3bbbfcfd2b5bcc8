import { type Kysely, sql } from 'kysely';

/** What lets a claim take turns between tenants. The version before neither needs it nor is held up by it. */
export async function fairClaims(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX operation_due_of_tenant ON operation (tenant, next_look)
      WHERE state = 'InProgress' AND owner IS NULL`.execute(database);
}

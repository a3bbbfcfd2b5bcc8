import { type Kysely, sql } from 'kysely';

/** Requests that callers may send again, and what was accepted for them. */
export async function idempotencyKeys(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  for (const [subject, comment] of Object.entries(comments)) {
    await sql`COMMENT ON ${sql.raw(subject)} IS ${sql.lit(comment)}`.execute(database);
  }
}

const statements = [
  `CREATE TABLE idempotency_key (
    tenant text NOT NULL,
    key text NOT NULL,
    request_hash text NOT NULL,
    claim uuid,
    claimed_until timestamptz,
    answer text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, key),
    CONSTRAINT idempotency_key_claim_is_whole CHECK ((claim IS NULL) = (claimed_until IS NULL))
  )`,
  'CREATE INDEX idempotency_key_created_at ON idempotency_key (created_at)',
  `CREATE TABLE idempotent_acceptance (
    tenant text NOT NULL,
    key text NOT NULL,
    field text NOT NULL,
    request_hash text NOT NULL,
    operation_id uuid NOT NULL REFERENCES operation (id) ON DELETE CASCADE,
    accepted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, key, field)
  )`,
  'CREATE INDEX idempotent_acceptance_operation ON idempotent_acceptance (operation_id)',
  'CREATE INDEX idempotent_acceptance_accepted_at ON idempotent_acceptance (accepted_at)',
];

/** What a name alone does not say; printed into docs/schema.md. */
const comments: Readonly<Record<string, string>> = {
  'TABLE idempotency_key': 'Requests with an Idempotency-Key, kept for a day.',
  'COLUMN idempotency_key.request_hash': 'Of what was asked; the key answers nothing else.',
  'COLUMN idempotency_key.claim': 'The request that is being carried out; none once it has been answered.',
  'COLUMN idempotency_key.claimed_until': 'A claim that is not renewed by then was made by a process that died.',
  'COLUMN idempotency_key.answer': 'What was answered, encrypted for this row; none while there is nothing to repeat.',
  'TABLE idempotent_acceptance':
    'The operations that were accepted for such requests; written with each operation, so that there is never a second one.',
  'COLUMN idempotent_acceptance.field': 'The name of the mutation in the answer: a request may hold several.',
};

import type { FieldChange } from '../../../domain/plan.ts';
import type { Shoot } from '../shoot/shoot.ts';
import { asText, type ChangeSubject, type Kept } from './field-rule.ts';
import { isAsked, rulesOf } from './field-rules.ts';
import { mergePatch } from './merge-patch.ts';
import { draftOf } from './shoot-draft.ts';

export interface DraftedChange {
  /** JSON merge patch of the Shoot's spec; undefined when the Shoot is as it is to be. */
  readonly patch: { readonly spec: object } | undefined;
  /** What becomes different. */
  readonly fields: readonly FieldChange[];
  /** By field. */
  readonly kept: ReadonlyMap<string, Kept>;
}

/** What has to be sent to give a live Shoot what was asked for, and nothing else. */
export function draftChange(
  { live, ...subject }: ChangeSubject & { readonly live: Shoot },
  asked: readonly string[],
): DraftedChange {
  const draft = draftOf(live);
  const kept = new Map<string, Kept>();
  const rules = rulesOf(subject.after.provider).filter(({ field }) => isAsked(field, asked));
  for (const rule of rules) {
    const newer = rule.write(draft, { ...subject, live });
    if (newer) kept.set(rule.field, newer);
  }
  const fields = new Map<string, FieldChange>();
  for (const { field, read } of rules) {
    const [from, to] = [asText(read(live)), asText(read(draft))];
    if (from !== to && !fields.has(field)) fields.set(field, { field, from, to });
  }
  const patch = mergePatch({ spec: live.spec ?? {} }, { spec: draft.spec }) as DraftedChange['patch'];
  return { patch, fields: [...fields.values()], kept };
}

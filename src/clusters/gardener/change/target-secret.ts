import { readText } from '../../../domain/json.ts';
import type { FieldRule } from './field-rule.ts';
import { put } from './shoot-draft.ts';

/** That both bindings hold the same credentials is checked where bindings can be read. */
export const targetSecret: FieldRule = {
  field: 'targetSecret',
  read: (shoot) => readText(shoot, 'spec', 'credentialsBindingName') ?? readText(shoot, 'spec', 'secretBindingName'),
  write(draft, { after }) {
    if (targetSecret.read(draft) === after.targetSecret) return undefined;
    // Whatever kind the old binding had, the new one is a CredentialsBinding: Gardener lets nobody go the other way.
    put(draft, ['spec', 'secretBindingName'], undefined);
    put(draft, ['spec', 'credentialsBindingName'], after.targetSecret);
    return undefined;
  },
};

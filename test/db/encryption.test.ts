import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ColumnCipher, EncryptionError, parseEncryptionKey } from '../../src/db/encryption.ts';
import { Secret } from '../../src/domain/secret.ts';

const keyOf = (byte: number) => new Secret(Buffer.alloc(32, byte));
const cipher = new ColumnCipher({ keys: [keyOf(1)] });
const place = { table: 'runtime', row: '309051b6-0bac-44c8-8bae-3fc59c12bb5c', column: 'kyma_config/0' };

test('what was sealed opens in its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.equal(cipher.open(cipher.seal(text, place), place), text);
    }),
  );
});

test('the same value sealed twice looks different, and shows nothing of itself', () => {
  const [one, two] = [cipher.seal('hunter2', place), cipher.seal('hunter2', place)];
  assert.notEqual(one, two);
  for (const sealed of [one, two]) {
    assert.ok(!sealed.includes('hunter2'));
    assert.ok(!Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('hunter2'));
  }
});

test('every flipped bit is noticed', () => {
  const sealed = cipher.seal('hunter2', place);
  const [version, id, encoded = ''] = sealed.split('.');
  const bytes = Buffer.from(encoded, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    const altered = `${version}.${id}.${flipped.toString('base64url')}`;
    assert.throws(() => cipher.open(altered, place), EncryptionError, `bit ${bit}`);
  }
});

for (const [name, altered] of Object.entries({
  'another row': { row: '8f3c9d4e-7d0f-4b5e-9b0f-2f8b7a1c0d11' },
  'another column': { column: 'kyma_config/1' },
  'another table': { table: 'operation' },
})) {
  test(`a value moved to ${name} does not open`, () => {
    const sealed = cipher.seal('hunter2', place);
    assert.throws(() => cipher.open(sealed, { ...place, ...altered }), EncryptionError);
  });
}

for (const sealed of ['', 'hunter2', 'v1', 'v1..', 'v2.x.y', 'v1.000000000000.AAAA', `${cipher.seal('a', place)}.b`]) {
  test(`"${sealed.slice(0, 20)}" was never sealed`, () => {
    assert.throws(() => cipher.open(sealed, place), EncryptionError);
  });
}

test('a new key seals while old ones still open; without the old one it is said which is missing', () => {
  const sealed = cipher.seal('hunter2', place);
  const rotated = new ColumnCipher({ keys: [keyOf(2), keyOf(1)] });
  assert.equal(rotated.open(sealed, place), 'hunter2');
  assert.throws(() => cipher.open(rotated.seal('hunter2', place), place), /no key "[0-9a-f]{12}" is configured/);
});

test('a key is read as base64, as URL base64 and as raw characters', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
  assert.deepEqual(parseEncryptionKey(bytes.toString('base64')).reveal(), bytes);
  assert.deepEqual(parseEncryptionKey(bytes.toString('base64url')).reveal(), bytes);
  const raw = '0123456789abcdef!"#$%&()*+,-./:;';
  assert.deepEqual(parseEncryptionKey(raw).reveal(), Buffer.from(raw));
});

for (const [text, reason] of [
  ['', /32 bytes/],
  ['short', /this is 3 bytes/],
  [Buffer.alloc(16).toString('base64'), /this is 16 bytes/],
  [Buffer.alloc(33).toString('base64'), /this is 33 bytes/],
  ['with spaces in it, which base64 has not', /base64 or as 32/],
] as const) {
  test(`the key "${text.slice(0, 10)}" is refused without being shown`, () => {
    assert.throws(
      () => parseEncryptionKey(text),
      (error: Error) => {
        assert.match(error.message, reason);
        assert.ok(text === '' || !error.message.includes(text));
        return true;
      },
    );
  });
}

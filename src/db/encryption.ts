import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Secret } from '../domain/secret.ts';

/** Where a sealed value lives. It opens nowhere else: not in another row, column or table. */
export interface ColumnPlace {
  readonly table: string;
  readonly row: string;
  /** For a value inside JSON, with the path to it. */
  readonly column: string;
}

const version = 'v1';
const nonceLength = 12;
const tagLength = 16;

/**
 * Reads a key of 32 bytes: as base64 (also its URL form) or as 32 raw ASCII characters. Throws a sentence that says
 * what is wrong, never the key.
 */
export function parseEncryptionKey(text: string): Secret<Buffer> {
  if (/^[\x21-\x7e]{32}$/.test(text)) return new Secret(Buffer.from(text, 'latin1'));
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    throw new Error('the key must be 32 bytes, written as base64 or as 32 printable ASCII characters');
  }
  const key = Buffer.from(text, 'base64');
  if (key.length === 32) return new Secret(key);
  throw new Error(`the key must be 32 bytes, written as base64 or as 32 characters; this is ${key.length} bytes`);
}

/** Says that a sealed value was altered, moved, or sealed with a key that is not configured. */
export class EncryptionError extends Error {
  override readonly name = 'EncryptionError';
}

/**
 * Seals values with AES-256-GCM. The place of a value is authenticated with it. The first key seals; all of them open,
 * so that keys can be changed one after the other.
 */
export class ColumnCipher {
  readonly #keys: ReadonlyMap<string, Secret<Buffer>>;
  readonly #sealingId: string;

  constructor({ keys }: { keys: readonly [Secret<Buffer>, ...Secret<Buffer>[]] }) {
    this.#keys = new Map(keys.map((key) => [keyId(key), key]));
    this.#sealingId = keyId(keys[0]);
  }

  seal(plaintext: string, place: ColumnPlace): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#sealingId), nonce, { authTagLength: tagLength });
    cipher.setAAD(associatedData(this.#sealingId, place));
    const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${version}.${this.#sealingId}.${sealed.toString('base64url')}`;
  }

  /** Throws EncryptionError unless `sealed` was sealed for this very place and is unaltered. */
  open(sealed: string, place: ColumnPlace): string {
    const [sealedVersion, id = '', encoded = '', ...rest] = sealed.split('.');
    if (sealedVersion !== version || rest.length > 0) throw new EncryptionError(`${describe(place)} is not sealed`);
    const bytes = Buffer.from(encoded, 'base64url');
    if (bytes.length < nonceLength + tagLength || bytes.toString('base64url') !== encoded) {
      throw new EncryptionError(`${describe(place)} was altered`);
    }
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), bytes.subarray(0, nonceLength), {
      authTagLength: tagLength,
    });
    decipher.setAAD(associatedData(id, place));
    decipher.setAuthTag(bytes.subarray(-tagLength));
    try {
      const text = decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch (cause) {
      throw new EncryptionError(`${describe(place)} was altered, or belongs elsewhere`, { cause });
    }
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (key === undefined) throw new EncryptionError(`no key "${id}" is configured`);
    return key.reveal();
  }
}

/** Tells keys apart without telling anything about them. */
function keyId(key: Secret<Buffer>): string {
  return Buffer.from(hkdfSync('sha256', key.reveal(), '', 'runtime-provisioner key id', 6)).toString('hex');
}

function associatedData(id: string, { table, row, column }: ColumnPlace): Buffer {
  return Buffer.from(JSON.stringify([version, id, table, row, column]));
}

function describe({ table, row, column }: ColumnPlace): string {
  return `${table}.${column} of ${row}`;
}

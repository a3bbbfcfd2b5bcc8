import { kubernetesTime } from './clock.ts';
import type { JsonObject } from './json-value.ts';
import { type Field, type FieldKind, type Message, protobufMessages } from './protobuf-messages.ts';
import { badRequest, StatusError } from './status-error.ts';

const MAGIC = Buffer.from('k8s\0', 'latin1');
const time: Message = {
  1: { name: 'seconds', kind: 'integer', form: 'single' },
  2: { name: 'nanos', kind: 'integer', form: 'single' },
};

/** One field as it is on the wire. */
interface WireField {
  readonly number: number;
  readonly value: number | Buffer;
}

/**
 * Reads an object that a client sent as `application/vnd.kubernetes.protobuf`, which kubectl does for Kubernetes' own
 * types. A type or a field that is not known is a 415: nothing is dropped silently.
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) throw badRequest('the body is not a Kubernetes protobuf message');
  const envelope = [...wireFields(body.subarray(MAGIC.length))];
  const typeMeta = [...wireFields(bytesOf(envelope, 1))];
  const apiVersion = bytesOf(typeMeta, 1).toString('utf8');
  const kind = bytesOf(typeMeta, 2).toString('utf8');
  const message = protobufMessages[`${apiVersion} ${kind}`];
  if (message === undefined) throw notReadable(`${apiVersion} ${kind}`);
  return { apiVersion, kind, ...decodeMessage(bytesOf(envelope, 2), message, kind) };
}

function bytesOf(fields: readonly WireField[], number: number): Buffer {
  const value = fields.find((field) => field.number === number)?.value;
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function decodeMessage(bytes: Buffer, message: Message, path: string): JsonObject {
  const result: JsonObject = {};
  for (const { number, value } of wireFields(bytes)) {
    const field = message[number];
    if (field === undefined) {
      if (value === 0 || (Buffer.isBuffer(value) && value.length === 0)) continue;
      throw notReadable(`field ${number} of ${path}`);
    }
    addField(result, field, value, `${path}.${field.name}`);
  }
  return result;
}

function addField(result: JsonObject, { name, kind, form }: Field, value: number | Buffer, path: string): void {
  if (form === 'map') {
    const entry = [...wireFields(Buffer.isBuffer(value) ? value : Buffer.alloc(0))];
    const known = result[name];
    const entries: JsonObject = typeof known === 'object' && known !== null ? { ...known } : {};
    const content = entry.find((field) => field.number === 2)?.value ?? Buffer.alloc(0);
    entries[bytesOf(entry, 1).toString('utf8')] = decodeValue(kind, content, path) ?? '';
    result[name] = entries;
    return;
  }
  const decoded = decodeValue(kind, value, path);
  if (form === 'list') {
    const known = result[name];
    result[name] = [...(Array.isArray(known) ? known : []), decoded ?? ''];
  } else if (decoded !== undefined) {
    result[name] = decoded;
  }
}

/** Undefined stands for a value that JSON would leave out. */
function decodeValue(kind: FieldKind, value: number | Buffer, path: string): unknown {
  if (kind === 'boolean') return value === 1;
  if (kind === 'integer') return value === 0 && !path.endsWith('.value') ? undefined : value;
  const bytes = Buffer.isBuffer(value) ? value : Buffer.alloc(0);
  if (kind === 'string') return bytes.length === 0 ? undefined : bytes.toString('utf8');
  if (kind === 'base64') return bytes.toString('base64');
  if (kind === 'time') {
    const { seconds } = decodeMessage(bytes, time, path);
    return typeof seconds === 'number' ? kubernetesTime(seconds * 1000) : undefined;
  }
  const content = decodeMessage(bytes, kind, path);
  return Object.keys(content).length === 0 ? undefined : content;
}

function* wireFields(bytes: Buffer): Generator<WireField> {
  let offset = 0;
  const varint = (): number => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[offset];
      if (byte === undefined) throw badRequest('the protobuf message ends too early');
      offset += 1;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, result));
    }
  };
  while (offset < bytes.length) {
    const tag = varint();
    const wireType = tag & 7;
    if (wireType === 0) {
      yield { number: tag >> 3, value: varint() };
    } else if (wireType === 2) {
      const size = varint();
      const end = offset + size;
      if (size < 0 || end > bytes.length) throw badRequest('the protobuf message ends too early');
      const value = bytes.subarray(offset, end);
      offset = end;
      yield { number: tag >> 3, value };
    } else {
      throw notReadable(`wire type ${wireType}`);
    }
  }
}

function notReadable(what: string): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the landscape does not read ${what} as protobuf; send JSON`,
  });
}

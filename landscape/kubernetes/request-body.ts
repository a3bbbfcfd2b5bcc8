import type { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { decodeProtobuf } from './protobuf.ts';
import { badRequest, bodyTooLarge, unsupportedMediaType } from './status-error.ts';

export const BODY_LIMIT_BYTES = 3 * 1024 * 1024;

const bodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Reads the whole body, once however often it is asked for; 413 beyond the limit. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  const known = bodies.get(request);
  if (known !== undefined) return known;
  const body = readWhole(request);
  bodies.set(request, body);
  return body;
}

async function readWhole(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // The rest is still read, so that the client gets to see the answer.
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  if (size > BODY_LIMIT_BYTES) throw bodyTooLarge(BODY_LIMIT_BYTES);
  return Buffer.concat(chunks);
}

/** The media type of the body, without parameters. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** An object, from JSON, YAML or protobuf as the media type says; undefined for an empty body. */
export async function readObject(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  if (body.length === 0) return undefined;
  switch (mediaType(request)) {
    case 'application/yaml':
      return fromYaml(body.toString('utf8'));
    case 'application/vnd.kubernetes.protobuf':
      return decodeProtobuf(body);
    case '':
    case 'application/json':
      return fromJson(body.toString('utf8'));
    default:
      throw unsupportedMediaType(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
  }
}

export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${messageOf(error)}`);
  }
}

/** YAML, of which JSON is the usual case. */
export function fromYaml(text: string): unknown {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // A YAML flow mapping looks like JSON at first.
    }
  }
  try {
    return parseYaml(text);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

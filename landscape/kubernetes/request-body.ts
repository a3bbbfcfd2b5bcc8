import type { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { badRequest, bodyTooLarge, unsupportedMediaType } from './status-error.ts';

export const BODY_LIMIT_BYTES = 3 * 1024 * 1024;

/** Reads the whole body; 413 beyond the limit. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    // The rest is still read, so that the client gets to see the answer.
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
  }
  if (size > BODY_LIMIT_BYTES) throw bodyTooLarge(BODY_LIMIT_BYTES);
  return Buffer.concat(chunks).toString('utf8');
}

/** The media type of the body, without parameters. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** An object, from JSON or YAML as the media type says. */
export async function readObject(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request);
  const type = mediaType(request);
  if (type === 'application/yaml') return fromYaml(text);
  if (type !== '' && type !== 'application/json') throw unsupportedMediaType(['application/json', 'application/yaml']);
  return fromJson(text);
}

/** An optional object: undefined for an empty body. */
export async function readOptionalObject(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request);
  return text.trim() === '' ? undefined : fromYaml(text);
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

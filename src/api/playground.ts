import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

const folder = new URL('./playground/', import.meta.url);
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The page at `/` to write requests in and to read the schema; all of it is our own and needs no other host. */
export function addPlayground(server: FastifyInstance, settings: { readonly playgroundEndpoint: string }): void {
  const { playgroundEndpoint } = settings;
  const origin = URL.parse(playgroundEndpoint)?.origin;
  const headers = {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `connect-src 'self'${origin ? ` ${origin}` : ''}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), 'utf8').replace('{{endpoint}}', escapeHtml(playgroundEndpoint));
    const contentType = contentTypes[path.extname(file)] ?? 'text/plain; charset=utf-8';
    const url = file === 'index.html' ? '/' : `/playground/${file}`;
    server.get(url, async (_, reply) => reply.headers(headers).type(contentType).send(text));
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

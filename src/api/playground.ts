import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

const folder = new URL('./playground/', import.meta.url);
/** Everything that the page loads, by the name that it has in its URL. What is not ours is served as npm brought it. */
const files: Readonly<Record<string, URL>> = {
  'react.js': new URL('umd/react.production.min.js', import.meta.resolve('react/package.json')),
  'react-dom.js': new URL('umd/react-dom.production.min.js', import.meta.resolve('react-dom/package.json')),
  'graphiql.js': new URL('graphiql.min.js', import.meta.resolve('graphiql/package.json')),
  'graphiql.css': new URL('graphiql.min.css', import.meta.resolve('graphiql/package.json')),
  'playground.css': new URL('playground.css', folder),
  'playground.js': new URL('playground.js', folder),
  'example.js': new URL('example.js', folder),
  'storage.js': new URL('storage.js', folder),
};
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};
const commonHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/**
 * GraphiQL at `/`. The page and all that it loads come from this server, so it works without any other host. Files are
 * read once, here; their URLs change with their content, so browsers keep them for good.
 */
export function addPlayground(server: FastifyInstance, settings: { readonly playgroundEndpoint: string }): void {
  const { playgroundEndpoint } = settings;
  const contents = Object.entries(files).map(([name, url]) => ({ name, content: readFileSync(url) }));
  const version = versionOf(contents.map(({ content }) => content));
  for (const { name, content } of contents) {
    const headers = { ...commonHeaders, 'cache-control': 'public, max-age=31536000, immutable' };
    const contentType = contentTypes[path.extname(name)] ?? 'application/octet-stream';
    server.get(`/playground/${version}/${name}`, async (_, reply) =>
      reply.headers(headers).type(contentType).send(content),
    );
  }

  const page = readFileSync(new URL('index.html', folder), 'utf8')
    .replaceAll('{{version}}', version)
    .replace('{{endpoint}}', () => escapeHtml(playgroundEndpoint));
  server.get('/', async (_, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const contentSecurityPolicy = pagePolicy({ nonce, origin: URL.parse(playgroundEndpoint)?.origin });
    return reply
      .headers({ ...commonHeaders, 'cache-control': 'no-store', 'content-security-policy': contentSecurityPolicy })
      .type('text/html; charset=utf-8')
      .send(page.replace('{{nonce}}', nonce));
  });
}

/** `origin`: where the GraphQL endpoint is, when that is another host. */
function pagePolicy({ nonce, origin }: { nonce: string; origin: string | undefined }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // GraphiQL adds a style element while a dialog is open. Its style sheet holds fonts and images as data.
    `style-src 'self' 'nonce-${nonce}'`,
    'font-src data:',
    'img-src data:',
    `connect-src 'self'${origin ? ` ${origin}` : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function versionOf(contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 16);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

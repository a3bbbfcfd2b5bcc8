import { lookup } from 'node:dns/promises';
import type { Logger } from '../../domain/logger.ts';
import { orAbort } from '../../domain/or-abort.ts';
import { PrivateAddress, withoutQuery } from '../downloads.ts';
import { isPublicAddress } from '../public-address.ts';
import type { AskSource, SourceAnswer } from './ask-source.ts';

/** A caller waits that long for the addresses of a host, in milliseconds. */
const patience = 5_000;
/** And that long for all answers of one source, in milliseconds. */
const patienceWithSource = 10_000;
const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const archive = /\.(?:zip|tgz|tbz2|txz|tar\.(?:gz|bz2|xz))$/i;
/** What is sent instead of an archive: sign-in pages, listings and error documents. */
const page = /^\s*(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml|application\/json)\s*(?:;|$)/i;

/** All addresses of a host. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export async function resolveHost(host: string): Promise<readonly string[]> {
  const found = await orAbort(lookup(host, { all: true }), AbortSignal.timeout(patience));
  return found.map(({ address }) => address);
}

/** Where the installer in a cluster may be sent, and how that is found out. */
export interface SourceRules {
  /** With their port, as in `URL.host`. */
  readonly hosts: readonly string[];
  readonly resolve: ResolveHost;
  readonly ask: AskSource;
  readonly log: Logger;
}

/**
 * Why the installer in a cluster is not told to fetch a component from there; undefined when it may. The installer follows
 * redirects by itself, so they are followed here first. A source that does not answer is no mistake: it need not be
 * within the reach of this service, and the installer tries again.
 */
export async function sourceMistake({
  sourceURL,
  ...rules
}: SourceRules & { readonly sourceURL: string }): Promise<string | undefined> {
  const url = URL.parse(sourceURL);
  if (url?.protocol !== 'https:') return `"${sourceURL}" is not an address that begins with https://`;
  const mistake = await addressMistake(url, rules);
  if (mistake !== undefined) return mistake;
  const file = fileOf(url);
  return typeof file === 'string' ? file : answersMistake(file, rules);
}

async function addressMistake(url: URL, { hosts, resolve }: SourceRules): Promise<string | undefined> {
  if (url.protocol !== 'https:') return 'only https is allowed';
  if (url.username || url.password) return 'credentials in an address are not allowed';
  if (!hosts.includes(url.host)) {
    const allowed = hosts.length > 0 ? `there is ${hosts.join(', ')}` : 'it names none';
    return `the host ${url.host} is not among the sourceHosts of the catalogue: ${allowed}`;
  }
  try {
    const addresses = await resolve(url.hostname.replace(/^\[|\]$/g, ''));
    const wrong = addresses.find((address) => !isPublicAddress(address));
    return wrong && notPublic(url, wrong);
  } catch (cause) {
    return `the addresses of the host ${url.host} cannot be found: ${cause instanceof Error ? cause.message : cause}`;
  }
}

/**
 * What the installer downloads, or why it downloads nothing. It uses HashiCorp's go-getter, to which `//` begins the
 * folder within the archive. Whatever has no archive's name go-getter takes for a page that names the true source, which
 * can be anywhere; and a checksum may be an address of its own.
 */
function fileOf(url: URL): URL | string {
  const file = new URL(url);
  file.pathname = file.pathname.replace(/\/\/.*$/, '');
  const format = file.searchParams.get('archive');
  const name = format === null ? file.pathname : `.${format}`;
  if (!archive.test(name)) {
    return 'it is not the address of an archive, which ends with .zip, .tgz, .tbz2, .txz, .tar.gz, .tar.bz2 or .tar.xz';
  }
  if (file.searchParams.get('checksum')?.startsWith('file:')) return 'a checksum at another address is not allowed';
  return file;
}

async function answersMistake(first: URL, rules: SourceRules): Promise<string | undefined> {
  const signal = AbortSignal.timeout(patienceWithSource);
  let url = first;
  for (let followed = 0; followed <= mostRedirects; followed++) {
    const told = (mistake: string) =>
      url === first ? mistake : `it is redirected to ${withoutQuery(url)}, and ${mistake}`;
    const mistake = url === first ? undefined : await addressMistake(url, rules);
    if (mistake !== undefined) return told(mistake);
    const answer = await answerOf(url, rules, signal);
    if (typeof answer === 'string') return told(answer);
    if (answer === undefined) return undefined;
    const { status, location } = answer;
    const next = redirects.has(status) && location !== undefined ? URL.parse(location, url) : undefined;
    if (next === null) return told(`${url.host} redirects to something that is no address`);
    if (next === undefined) {
      const wrong = contentMistake(url, answer);
      return wrong === undefined ? undefined : told(wrong);
    }
    url = next;
  }
  return `it is redirected more than ${mostRedirects} times`;
}

/** The reason why it must not be asked; undefined when there is no answer now. */
async function answerOf(
  url: URL,
  { ask, log }: SourceRules,
  signal: AbortSignal,
): Promise<SourceAnswer | string | undefined> {
  const accept = (why: object) => {
    log.warn({ ...why, url: withoutQuery(url) }, 'the source of a component does not answer now; it is accepted');
    return undefined;
  };
  try {
    const answer = await ask(url, signal);
    const isPassing = answer.status >= 500 || [408, 425, 429].includes(answer.status);
    return isPassing ? accept({ status: answer.status }) : answer;
  } catch (error) {
    return error instanceof PrivateAddress ? notPublic(url, error.address) : accept({ err: error });
  }
}

function contentMistake({ host }: URL, { status, contentType = '' }: SourceAnswer): string | undefined {
  if (status < 200 || status >= 300) return `${host} answers with HTTP ${status}`;
  return page.test(contentType) ? `${host} answers with ${contentType}, which is no archive` : undefined;
}

function notPublic({ host }: URL, address: string): string {
  return `the host ${host} has the address ${address}, which is not a public one`;
}

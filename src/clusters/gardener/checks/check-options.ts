import type { DnsConfig, GardenerConfig, OidcConfig } from '../../../domain/gardener-config.ts';
import type { Mistake } from './mistake.ts';

const failureTolerances = ['node', 'zone'];
/** Kubernetes takes tokens signed with any of these, and with no other. */
const signingAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
const dnsName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** What a caller may leave out altogether, and must get right otherwise. */
export function checkOptions(config: GardenerConfig, project: string): readonly Mistake[] {
  const { controlPlaneFailureTolerance: tolerance, oidcConfig, dnsConfig, projectName } = config;
  const mistakes: Mistake[] = [];
  if (tolerance !== undefined && !failureTolerances.includes(tolerance)) {
    const message = `controlPlaneFailureTolerance "${tolerance}" does not exist; use one of ${failureTolerances.join(', ')}`;
    mistakes.push({ path: 'controlPlaneFailureTolerance', message });
  }
  if (projectName !== undefined && projectName !== project) {
    const message = `projectName "${projectName}" is not the Gardener project that this service works in, "${project}"`;
    mistakes.push({ path: 'projectName', message });
  }
  if (oidcConfig) mistakes.push(...below('oidcConfig', oidc(oidcConfig)));
  if (dnsConfig) mistakes.push(...below('dnsConfig', dns(dnsConfig)));
  return mistakes;
}

function* oidc({ clientID, issuerURL, signingAlgs }: OidcConfig): Generator<Mistake> {
  if (clientID.trim() === '') yield { path: 'clientID', message: 'clientID is empty' };
  const url = URL.parse(issuerURL);
  const plain = url && url.protocol === 'https:' && !url.search && !url.hash && !url.username && !url.password;
  if (!plain) {
    const message = `issuerURL "${issuerURL}" is not an address such as https://issuer.example.com, without user, query and fragment`;
    yield { path: 'issuerURL', message };
  }
  for (const [index, algorithm] of signingAlgs.entries()) {
    if (signingAlgorithms.includes(algorithm)) continue;
    const message = `signing algorithm "${algorithm}" is not supported; supported are ${signingAlgorithms.join(', ')}`;
    yield { path: `signingAlgs[${index}]`, message };
  }
}

function* dns({ domain, providers }: DnsConfig): Generator<Mistake> {
  if (!dnsName.test(domain)) yield { path: 'domain', message: `domain "${domain}" is not a domain name` };
  const primary = providers.filter((provider) => provider.primary).length;
  if (primary !== 1) {
    yield { path: 'providers', message: `exactly one provider must be primary, and ${primary} are` };
  }
  for (const [index, { secretName, type }] of providers.entries()) {
    if (secretName.trim() === '') yield { path: `providers[${index}].secretName`, message: 'secretName is empty' };
    if (type.trim() === '') yield { path: `providers[${index}].type`, message: 'type is empty' };
  }
}

function below(name: string, mistakes: Iterable<Mistake>): readonly Mistake[] {
  return [...mistakes].map(({ path, message }) => ({ path: `${name}.${path}`, message }));
}

import { webcrypto } from 'node:crypto';

// The dependency injection inside @peculiar/x509 wants a metadata polyfill; nothing of it is used for what we make.
const reflection = Reflect as unknown as Record<string, unknown>;
for (const name of ['getMetadata', 'getOwnMetadata', 'defineMetadata']) reflection[name] ??= () => undefined;
const x509 = await import('@peculiar/x509');

export interface KeyPairPem {
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate for 127.0.0.1 that vouches for itself. */
export async function selfSignedCertificate(name = 'test'): Promise<KeyPairPem> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'localhost' },
      ]),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const body = Buffer.from(key).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`,
  };
}

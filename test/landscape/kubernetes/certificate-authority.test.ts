import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { createCertificateAuthority } from '../../../landscape/tls/certificate-authority.ts';

const authority = createCertificateAuthority({ name: 'landscape' });
const root = new X509Certificate(authority.certificate);

test('the authority signs itself and may sign others', () => {
  assert.equal(root.ca, true);
  assert.equal(root.verify(root.publicKey), true);
  assert.equal(root.subject, 'CN=landscape');
});

test('a server certificate is for this machine and for the hosts that are named', () => {
  const issued = authority.issueServerCertificate({ hosts: ['director.landscape.test'] });
  const certificate = new X509Certificate(issued.certificate);
  assert.equal(certificate.verify(root.publicKey), true);
  assert.equal(certificate.checkIssued(root), true);
  assert.equal(certificate.ca, false);
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1');
  assert.ok(certificate.checkIP('::1'));
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkHost('director.landscape.test'), 'director.landscape.test');
  assert.equal(certificate.checkHost('example.com'), undefined);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
});

test('a client certificate carries user, groups and API, and ends when it should', () => {
  const issued = authority.issueClientCertificate({
    user: 'gardener.cloud:admin',
    groups: ['system:masters', 'späte Gäste'],
    api: 'clusters/one',
    lifetimeSeconds: 600,
  });
  const certificate = new X509Certificate(issued.certificate);
  const { CN, O, OU } = certificate.toLegacyObject().subject;
  assert.deepEqual([CN, O, OU], ['gardener.cloud:admin', ['system:masters', 'späte Gäste'], 'clusters/one']);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
  const wholeSeconds = Math.floor(issued.expiresAt.getTime() / 1000) * 1000;
  assert.equal(Date.parse(certificate.validTo), wholeSeconds);
});

test('every certificate has a key and a serial number of its own', () => {
  const [a, b] = [1, 2].map(() => authority.issueServerCertificate());
  assert.notEqual(a?.key, b?.key);
  assert.notEqual(
    new X509Certificate(a?.certificate ?? '').serialNumber,
    new X509Certificate(b?.certificate ?? '').serialNumber,
  );
});

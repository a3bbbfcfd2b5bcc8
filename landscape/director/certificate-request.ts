import { createPublicKey, type KeyObject, verify } from 'node:crypto';

const pem = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\s\S]+?)-----END (?:NEW )?CERTIFICATE REQUEST-----/;

interface Element {
  /** With tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The public key of a PKCS#10 request (PEM, or base64 of PEM), once its signature is checked. Undefined: it is none. */
export function readCertificateRequest(text: string): KeyObject | undefined {
  try {
    const body = pem.exec(text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString())?.[1];
    if (!body) return undefined;
    const [request] = elements(Buffer.from(body, 'base64'));
    const [info, , signature] = elements(request?.content ?? Buffer.alloc(0));
    const [, , publicKeyInfo] = elements(info?.content ?? Buffer.alloc(0));
    if (!info || !signature || !publicKeyInfo) return undefined;
    const key = createPublicKey({ key: publicKeyInfo.whole, format: 'der', type: 'spki' });
    // The first byte of a bit string counts its unused bits.
    return verify('sha256', info.whole, key, signature.content.subarray(1)) ? key : undefined;
  } catch {
    return undefined;
  }
}

function elements(buffer: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < buffer.length; ) {
    const first = buffer.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthBytes === 0 ? first : buffer.readUIntBE(at + 2, lengthBytes);
    const start = at + 2 + lengthBytes;
    found.push({ whole: buffer.subarray(at, start + length), content: buffer.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

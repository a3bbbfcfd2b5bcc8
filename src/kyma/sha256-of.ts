import { createHash } from 'node:crypto';

/** In hexadecimal, as catalogues name it. */
export function sha256Of(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

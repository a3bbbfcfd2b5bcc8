import { z } from 'zod';

/** How a catalogue, or a stored plan, names an artifact. */
export const artifactSchema = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

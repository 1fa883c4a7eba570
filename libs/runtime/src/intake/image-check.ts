import type { AlertImage, FieldProblem } from '@casefile/contracts';

const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
/** Base64 takes four characters for three bytes; line breaks (one in 76 by RFC 2045) and a margin come on top. */
const MAX_BASE64_CHARACTERS = Math.ceil((MAX_IMAGE_BYTES / 3) * 4 * 1.1);

const MAGIC: Record<AlertImage['mediaType'], (bytes: Buffer) => boolean> = {
  'image/png': (b) => b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  'image/jpeg': (b) => b.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  'image/webp': (b) =>
    b.subarray(0, 4).toString('latin1') === 'RIFF' && b.subarray(8, 12).toString('latin1') === 'WEBP',
};

/**
 * Is it base64, of a fair size, and what it says it is? Linear in its length. Whether it can be read shows in triage.
 */
export function imageProblems(image: AlertImage): FieldProblem[] {
  const path = 'image.base64';
  if (image.base64.length > MAX_BASE64_CHARACTERS)
    return [{ path, message: `expected at most ${MAX_IMAGE_BYTES} bytes` }];
  // White space goes first: a pattern with it in two repeats takes quadratic time.
  const base64 = image.base64.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return [{ path, message: 'expected base64' }];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) return [{ path, message: `expected at most ${MAX_IMAGE_BYTES} bytes` }];
  if (!MAGIC[image.mediaType](bytes))
    return [{ path, message: `expected the bytes of an ${image.mediaType}` }];
  return [];
}

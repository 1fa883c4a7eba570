import { CasefileError, MAX_IMAGE_BYTES } from '@casefile/contracts';
import { disableTypes, imageSize, types } from 'image-size';

/** Image types that an alert may contain. The library's other parsers never receive bytes from outside. */
const KINDS = ['png', 'jpg', 'webp'];
disableTypes(types.filter((type) => !KINDS.includes(type)));

export interface ImageLimits {
  maxBytes: number;
  /** Width times height. The memory of a picture depends on this, not on the size of the file. */
  maxPixels: number;
}

/** Limits of an image. A photo of a phone's camera has 12 million pixels, a screenshot 4 million. */
export const IMAGE_LIMITS: ImageLimits = { maxBytes: MAX_IMAGE_BYTES, maxPixels: 25_000_000 };

/**
 * Checks an image before a decoder reads it: kind, completeness and size.
 * @throws CasefileError `unreadable_image`.
 */
export function checkImage(image: Uint8Array, limits: ImageLimits): void {
  if (image.byteLength > limits.maxBytes) throw unreadable(`it has more than ${limits.maxBytes} bytes`);
  const kind = imageKind(image);
  if (kind === null) throw unreadable('it is neither PNG, JPEG nor WebP');
  if (!ENDS[kind](Buffer.from(image.buffer, image.byteOffset, image.byteLength)))
    throw unreadable('it is cut short');
  const { width, height } = sizeOf(image);
  if (!(width > 0 && height > 0)) throw unreadable('it has no size');
  if (width * height > limits.maxPixels) throw unreadable(`it has more than ${limits.maxPixels} pixels`);
}

/** Returns the error for an image that no decoder can open. */
export function unreadable(why: string, cause?: unknown): CasefileError {
  return new CasefileError('unreadable_image', `The image cannot be read: ${why}`, { cause });
}

type Kind = 'png' | 'jpeg' | 'webp';

function imageKind(image: Uint8Array): Kind | null {
  const head = Buffer.from(image.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'webp' : null;
}

/** Per type, returns whether the end of the picture is present. Bytes after it are common and harmless. */
const ENDS: Record<Kind, (image: Buffer) => boolean> = {
  png: (image) => image.includes('IEND', 8, 'latin1'),
  jpeg: (image) => image.lastIndexOf(Buffer.from([0xff, 0xd9])) > 2,
  webp: (image) => image.length >= 20 && image.readUInt32LE(4) + 8 <= image.length,
};

function sizeOf(image: Uint8Array): { width: number; height: number } {
  try {
    return imageSize(image);
  } catch (error) {
    throw unreadable('its header is broken', error);
  }
}

import type { Sharp } from 'sharp';
import { unreadable } from './check-image.js';

/**
 * An image prepared for OCR: upright by its EXIF data, grey, on white, at a size that OCR reads well and
 * fast.
 */
export interface Picture {
  /** One byte per pixel, row by row. */
  grey: Buffer;
  width: number;
  height: number;
  /** Pixels of the file, before scaling. */
  filePixels: number;
}

/** Most pixels that are read: a dense A4 page at 250 dpi, which takes OCR about 10 s. */
const MOST_PIXELS = 6_000_000;
/**
 * A screenshot of at least this width has large enough letters. Smaller pictures are enlarged, at most four
 * times.
 */
const ENOUGH_SIDE = 780;
const MOST_ENLARGED = 4;
const ENLARGED_PIXELS = 3_000_000;

/**
 * Decodes an image within bounded memory.
 * @throws CasefileError `unreadable_image`.
 */
export async function openPicture(image: Uint8Array, maxPixels: number): Promise<Picture> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  // Decodes one picture at a time, because threads of libvips would take processor time from all other work.
  sharp.concurrency(1);
  try {
    const upright = sharp(image, { limitInputPixels: maxPixels, failOn: 'warning' }).autoOrient();
    const { width = 0, height = 0, autoOrient } = await upright.metadata();
    const [wide, high] = [autoOrient?.width ?? width, autoOrient?.height ?? height];
    const target = Math.max(1, Math.round(wide * widthScale(wide, high)));
    const { data, info } = await upright
      .flatten({ background: '#fff' })
      .resize({ width: target, kernel: 'cubic' })
      .greyscale()
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { grey: data, width: info.width, height: info.height, filePixels: width * height };
  } catch (error) {
    throw unreadable('its content is broken', error);
  }
}

function widthScale(width: number, height: number): number {
  const pixels = width * height;
  if (pixels > MOST_PIXELS) return Math.sqrt(MOST_PIXELS / pixels);
  const wanted = Math.min(MOST_ENLARGED, ENOUGH_SIDE / Math.min(width, height));
  return Math.max(1, Math.min(wanted, Math.sqrt(ENLARGED_PIXELS / pixels)));
}

/** Resolution to declare. Below 70 dpi, Tesseract assumes 70 and writes a warning to standard error. */
const SCREEN_DPI = 72;

export type Turn = 0 | 90 | 180 | 270;

/** Returns a PNG of a picture, scaled down to at most `mostPixels`. */
export async function picturePng(picture: Picture, mostPixels = MOST_PIXELS): Promise<Buffer> {
  const scale = Math.min(1, Math.sqrt(mostPixels / (picture.width * picture.height)));
  const opened = await rawPixels(picture);
  return opened
    .resize({ width: Math.max(1, Math.round(picture.width * scale)) })
    .withMetadata({ density: SCREEN_DPI })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Returns a picture turned clockwise. */
export async function turnedPicture(picture: Picture, turn: Turn): Promise<Picture> {
  const opened = await rawPixels(picture);
  const { data, info } = await opened
    .rotate(turn)
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { ...picture, grey: data, width: info.width, height: info.height };
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Returns a picture in which an area is filled with the shade of the pixel at its upper left corner. */
export function without(picture: Picture, { x0, y0, x1, y1 }: Box): Picture {
  const { width, height } = picture;
  const grey = Buffer.from(picture.grey);
  const [left, right] = [Math.max(0, Math.floor(x0)), Math.min(width, Math.ceil(x1))];
  const [top, bottom] = [Math.max(0, Math.floor(y0)), Math.min(height, Math.ceil(y1))];
  const shade = grey[top * width + left] ?? 255;
  for (let y = top; y < bottom; y += 1) grey.fill(shade, y * width + left, y * width + Math.max(left, right));
  return { ...picture, grey };
}

/** Spread of the blur that serves as background, in pixels: wider than a stroke of a letter. */
const BACKGROUND_SIGMA = 12;

/**
 * Returns a picture of the differences from the surroundings, dark on white. This finds letters on gradients
 * and photos, and light next to dark letters, which one threshold for the whole picture loses.
 */
export async function localContrast(picture: Picture): Promise<Picture> {
  const opened = await rawPixels(picture);
  const around = await opened.blur(BACKGROUND_SIGMA).toColourspace('b-w').raw().toBuffer();
  const grey = Buffer.allocUnsafe(picture.grey.length);
  for (let i = 0; i < grey.length; i += 1)
    grey[i] = 255 - Math.min(255, 2 * Math.abs((picture.grey[i] ?? 0) - (around[i] ?? 0)));
  return { ...picture, grey };
}

async function rawPixels({ grey, width, height }: Picture): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  return sharp(grey, { raw: { width, height, channels: 1 } });
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { picturePng, type Box, type Picture } from './picture.js';

const require = createRequire(import.meta.url);
/** Most codes read from one picture. */
const MOST_CODES = 5;
/** Longest content kept, in UTF-16 units; a QR code holds 2,953 bytes. */
const CODE_LENGTH = 3_000;
/** Enough for a code on a phone's photo. Reading blocks the event loop for about 50 ms. */
const CODE_PIXELS = 2_000_000;

let loading: Promise<typeof import('zxing-wasm/reader')> | null = null;

// By default the package fetches its program from a CDN; this loads the installed file instead.
async function load() {
  const zxing = await import('zxing-wasm/reader');
  const bytes = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = new Uint8Array(bytes).buffer;
  await zxing.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return zxing;
}

export interface Code {
  text: string;
  /** Position in the picture, including the margin. */
  box: Box;
}

/** Margin of a code as a share of its size. OCR takes the edge of a code for letters. */
const MARGIN = 0.06;

/** Returns a picture's QR codes. */
export async function readCodes(picture: Picture): Promise<Code[]> {
  loading ??= load();
  const { readBarcodes } = await loading;
  const barcodes = await readBarcodes(new Uint8Array(await picturePng(picture, CODE_PIXELS)), {
    formats: ['QRCode', 'MicroQRCode'],
    tryHarder: true,
    maxNumberOfSymbols: MOST_CODES,
  });
  const scale = Math.max(1, Math.sqrt((picture.width * picture.height) / CODE_PIXELS));
  return barcodes
    .filter(({ isValid, text }) => isValid && text.trim() !== '')
    .map(({ text, position }) => ({
      text: text.slice(0, CODE_LENGTH).trim(),
      box: boxAround(Object.values(position), scale),
    }));
}

function boxAround(corners: readonly unknown[], scale: number): Box {
  const points = corners.flatMap((one) => (isPoint(one) ? [one] : []));
  const [xs, ys] = [points.map(({ x }) => x * scale), points.map(({ y }) => y * scale)];
  const [x0, y0, x1, y1] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const margin = (x1 - x0) * MARGIN;
  return { x0: x0 - margin, y0: y0 - margin, x1: x1 + margin, y1: y1 + margin };
}

function isPoint(value: unknown): value is { x: number; y: number } {
  return typeof value === 'object' && value !== null && 'x' in value && 'y' in value;
}

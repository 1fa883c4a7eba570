import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pngOf, type Picture } from './picture.js';

const require = createRequire(import.meta.url);
/** Codes of one picture that are read. */
const MOST_CODES = 5;
/** Longest content that is kept, in UTF-16 units; a QR code holds 2,953 bytes. */
const CODE_LENGTH = 3_000;
/** Enough for a code on a phone's photo; reading blocks the event loop for some 50 ms. */
const CODE_PIXELS = 2_000_000;

let loading: Promise<typeof import('zxing-wasm/reader')> | null = null;

// By default the package fetches its program from a CDN: here it is the file that was installed.
async function load() {
  const zxing = await import('zxing-wasm/reader');
  const bytes = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  const wasmBinary = new Uint8Array(bytes).buffer;
  await zxing.prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return zxing;
}

/** Returns the texts of a picture's QR codes, each once. */
export async function readCodes(picture: Picture): Promise<string[]> {
  loading ??= load();
  const { readBarcodes } = await loading;
  const found = await readBarcodes(new Uint8Array(await pngOf(picture, 0, CODE_PIXELS)), {
    formats: ['QRCode', 'MicroQRCode'],
    tryHarder: true,
    maxNumberOfSymbols: MOST_CODES,
  });
  const texts = found.filter(({ isValid }) => isValid).map(({ text }) => text.slice(0, CODE_LENGTH).trim());
  return [...new Set(texts)].filter((text) => text !== '');
}

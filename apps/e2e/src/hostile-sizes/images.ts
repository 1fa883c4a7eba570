import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { createTextReader } from '@casefile/evidence';
import type { HostileInput } from './hostile-input.js';

/** Images of an alert, by width and height, with the rows of grey pixels. */
const IMAGES: Record<string, [width: number, height: number, row: (width: number) => Buffer]> = {
  'Image: 24 million white pixels': [4_900, 4_900, (width) => Buffer.alloc(width + 1, 255)],
  'Image: 400 million white pixels': [20_000, 20_000, (width) => Buffer.alloc(width + 1, 255)],
  'Image: noise': [
    1_000,
    1_000,
    (width) => Buffer.from(Array.from({ length: width + 1 }, (_, i) => (i * i * 31) & 255)),
  ],
};

export const images: readonly HostileInput[] = Object.entries(IMAGES).map(([name, [width, height, row]]) => ({
  name,
  offer: async (folder) => {
    const place = join(folder, 'image.png');
    await writeFile(place, png(width, height, row(width)));
    return { place };
  },
  serve: async (place) => {
    const reader = createTextReader({ languages: ['eng'], timeoutMs: 60_000 });
    const signal = new AbortController().signal;
    // Loads the decoder, the reader of codes and the worker.
    await reader.read(png(200, 100, Buffer.alloc(201, 255)), signal).catch(() => undefined);
    const image = await readFile(place);
    return async () => {
      const reason = await reader.read(image, signal).then(
        () => null,
        (error: Error) => error.message,
      );
      await reader.close();
      return reason;
    };
  },
}));

/** Returns a grey PNG of equal rows. The first byte of a row is its filter, which is none. */
function png(width: number, height: number, row: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits per pixel; colour type 0 is grey.
  head[8] = 8;
  const line = Buffer.from(row);
  line[0] = 0;
  const rows = Buffer.concat(Array.from({ length: height }, () => line));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

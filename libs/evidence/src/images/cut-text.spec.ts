import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { isCut } from './judge-reading.js';
import { openPicture, type Box, type Picture } from './picture.js';

const [WIDTH, HEIGHT] = [400, 200];
const PAGE = 255;

/** A page with areas of other shades, later ones over earlier ones. */
function drawn(...areas: [shade: number, box: Box][]): Picture {
  const grey = Buffer.alloc(WIDTH * HEIGHT, PAGE);
  for (const [shade, { x0, y0, x1, y1 }] of areas)
    for (let y = y0; y < y1; y += 1) grey.fill(shade, y * WIDTH + x0, y * WIDTH + x1);
  return { grey, width: WIDTH, height: HEIGHT, filePixels: WIDTH * HEIGHT };
}

const box = (x0: number, y0: number, x1: number, y1: number): Box => ({ x0, y0, x1, y1 });
/** A line of so many strokes between two rows. */
const line = (strokes: number, y0: number, y1: number): [number, Box][] =>
  Array.from({ length: strokes }, (_, i) => [20, box(60 + i * 9, y0, 63 + i * 9, y1)]);
const at = (y0: number, y1: number): Box => box(60, y0, 200, y1);
const bubble = (y0: number, y1: number): [number, Box] => [233, box(40, y0, 260, y1)];

describe('S1-01 pictures that are a part of a larger one', () => {
  it.each([
    ['letters at the lower edge', drawn(...line(12, 192, HEIGHT)), []],
    ['letters at the upper edge', drawn(...line(12, 0, 9)), []],
    ['white letters on a dark page', drawn([0, box(0, 0, WIDTH, HEIGHT)], ...line(12, 0, 9).map(light)), []],
    ['a bubble at the lower edge', drawn(bubble(100, HEIGHT), ...line(12, 160, 176)), [at(160, 176)]],
    ['a bubble at the upper edge', drawn(bubble(0, 80), ...line(12, 20, 36)), [at(20, 36)]],
    ['two lines at the right edge', drawn(), [box(60, 20, 399, 36), box(60, 60, 399, 76)]],
  ])('%s: cut', (_what, picture, lines) => expect(isCut(picture, lines)).toBe(true));

  it.each([
    ['a line with a margin', drawn(...line(12, 150, 166)), [at(150, 166)]],
    ['a whole bubble', drawn(bubble(100, 190), ...line(12, 160, 176)), [at(160, 176)]],
    [
      'a bar over the whole width',
      drawn([233, box(0, 150, WIDTH, HEIGHT)], ...line(9, 160, 176)),
      [at(160, 176)],
    ],
    ['a frame', drawn([20, box(2, 0, 6, HEIGHT)], [20, box(394, 0, 398, HEIGHT)]), []],
    ['a column far above the edge', drawn(bubble(0, HEIGHT), ...line(9, 90, 106)), [at(90, 106)]],
    ['noise on the last row', drawn(...line(20, HEIGHT - 1, HEIGHT)), []],
  ])('%s: whole', (_what, picture, lines) => expect(isCut(picture, lines)).toBe(false));

  it('takes no picture of one shade for a part, whatever its lines', () => {
    const shade = fc.integer({ min: 0, max: 255 });
    const y = fc.integer({ min: 0, max: HEIGHT - 20 });
    fc.assert(
      fc.property(shade, fc.array(y), (grey, tops) => {
        const lines = tops.map((top) => at(top, top + 16));
        expect(isCut(drawn([grey, box(0, 0, WIDTH, HEIGHT)]), lines)).toBe(false);
      }),
    );
  });

  it('takes a screenshot of a whole notice for whole', async () => {
    const file = readFileSync(new URL('../testing/fixtures/notice.png', import.meta.url));
    expect(isCut(await openPicture(file, 1_000_000), [])).toBe(false);
  });
});

function light([, stroke]: [number, Box]): [number, Box] {
  return [240, stroke];
}

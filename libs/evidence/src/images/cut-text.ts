import type { OcrWord } from './ocr-worker.js';
import type { Picture } from './picture.js';

type Box = OcrWord['box'];

/** Share of a screenshot's width: no app sets text so near its left or right edge. */
const EDGE_SHARE = 0.008;
/** Lines at the left or right edge from which the picture is a part of a larger one. */
const CUT_LINES = 2;
/** Difference of shades across a stroke's border, over the two pixels of its soft edge. */
const STROKE_EDGE = 40;
/** Share of the width that a stroke of a letter has at most; anything wider is an area. */
const STROKE_SHARE = 0.03;
/** Strokes that touch the upper or lower edge from which a line is cut; frames and rules have fewer. */
const CUT_STROKES = 4;
/** Pixels that a stroke reaches into the picture: an edge row of noise has strokes of one pixel. */
const STROKE_DEPTH = 2;
/** Heights of a line between the last line of a bubble and the bubble's border, at most. */
const PADDING_LINES = 2.5;
/** Differences of shades within an area, which JPEG and gradients cause. */
const SAME_SHADE = 5;

/**
 * Returns whether the picture is a part of a larger one, so that text is missing: lines touch the left or right edge,
 * or letters, or the bubble around the nearest line, touch the upper or lower edge.
 * @param lines Boxes of the lines that were read.
 */
export function isCut(picture: Picture, lines: readonly Box[]): boolean {
  const { width, height } = picture;
  const margin = marginOf(picture);
  const atLeft = lines.filter(({ x0 }) => x0 <= margin).length;
  const atRight = lines.filter(({ x1 }) => x1 >= width - margin).length;
  if (Math.max(atLeft, atRight) >= CUT_LINES) return true;
  const isNear = (distance: number, { y0, y1 }: Box) => distance < PADDING_LINES * (y1 - y0);
  const first = lines.filter((line) => isNear(line.y0, line));
  const last = lines.filter((line) => isNear(height - line.y1, line));
  return (
    isCutAt(picture, [0, STROKE_DEPTH], first) ||
    isCutAt(picture, [height - 1, height - 1 - STROKE_DEPTH], last)
  );
}

const marginOf = ({ width }: Picture) => Math.max(3, width * EDGE_SHARE);

function isCutAt(
  picture: Picture,
  [edge, inner]: [edge: number, inner: number],
  near: readonly Box[],
): boolean {
  if (Math.min(strokesIn(picture, edge), strokesIn(picture, inner)) >= CUT_STROKES) return true;
  return near.some((line) => isInBubble(picture, edge, line));
}

/** Counts strokes across a row of pixels: a change of shade and, soon after, the change back. */
function strokesIn({ grey, width }: Picture, y: number): number {
  const most = Math.max(6, width * STROKE_SHARE);
  let [strokes, sign, since] = [0, 0, 0];
  for (let x = 2, at = y * width + 2; x < width; x += 1, at += 1) {
    const change = (grey[at] ?? 0) - (grey[at - 2] ?? 0);
    if (Math.abs(change) <= STROKE_EDGE || Math.sign(change) === sign) continue;
    if (sign !== 0 && x - since <= most) {
      strokes += 1;
      sign = 0;
    } else [sign, since] = [Math.sign(change), x];
  }
  return strokes;
}

/** Is a line within an area of one shade on the row that ends before both sides of the picture? */
function isInBubble(picture: Picture, y: number, { x0, x1 }: Box): boolean {
  const { grey, width } = picture;
  const row = grey.subarray(y * width, (y + 1) * width);
  const shade = [...row.subarray(Math.max(0, x0), x1)].sort((a, b) => a - b)[Math.floor((x1 - x0) / 2)];
  if (shade === undefined) return false;
  const isInside = (x: number) => Math.abs((row[x] ?? 0) - shade) <= SAME_SHADE;
  let [left, right] = [x0, x1];
  while (left >= 0 && isInside(left)) left -= 1;
  while (right < width && isInside(right)) right += 1;
  const margin = marginOf(picture);
  return left < x0 && right > x1 && left > margin && right < width - margin;
}

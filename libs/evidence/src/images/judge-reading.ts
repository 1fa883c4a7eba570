import type { OcrLine, OcrResult, OcrWord } from './ocr-worker.js';
import type { Picture } from './picture.js';

/**
 * Mean confidence below which a reading is unreliable. Measured: text in an unexpected script, rotated
 * pictures and wallpaper have 12 to 57, screenshots and legible photos with 62 to 95 (decision
 * 0057).
 */
export const RELIABLE_FROM = 65;
/** Confidence from which a single word counts as read. */
const WORD_FROM = 50;
/** Share of letters in words below `WORD_FROM` from which part of a reading is unreliable. */
const POOR_LETTERS = 0.25;
/**
 * Number of adjacent tiles that look like letters but contain no word, from which a line counts as unread.
 */
const LINE_TILES = 8;

export const textLetters = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
const allWords = ({ lines }: OcrResult) => lines.flatMap(({ words }) => words);

/**
 * Returns the amount of text that was read, weighted by confidence. The better of two readings has the higher value.
 */
export function amountRead(result: OcrResult): number {
  return allWords(result).reduce(
    (sum, { text, confidence }) => sum + textLetters(text) * Math.max(0, confidence - WORD_FROM),
    0,
  );
}

/**
 * Returns a reading with additional lines found only in another reading of the same picture, from top to
 * bottom.
 */
export function joinedReadings(main: OcrResult, other: OcrResult): OcrResult {
  const extra = other.lines.filter(
    (line) => lineConfidence([line]) >= RELIABLE_FROM && !main.lines.some((known) => overlap(known, line)),
  );
  if (extra.length === 0) return main;
  const lines = [...main.lines, ...extra].sort((a, b) => ocrLineBox(a).y0 - ocrLineBox(b).y0);
  return {
    text: lines.map(({ text }) => text.trimEnd()).join('\n'),
    confidence: lineConfidence(lines),
    lines,
  };
}

function lineConfidence(lines: readonly OcrLine[]): number {
  const words = lines.flatMap((line) => line.words);
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);
}

function ocrLineBox({ words }: OcrLine): OcrWord['box'] {
  const boxes = words.map(({ box }) => box);
  return {
    x0: Math.min(...boxes.map(({ x0 }) => x0)),
    y0: Math.min(...boxes.map(({ y0 }) => y0)),
    x1: Math.max(...boxes.map(({ x1 }) => x1)),
    y1: Math.max(...boxes.map(({ y1 }) => y1)),
  };
}

function overlap(one: OcrLine, other: OcrLine): boolean {
  const [a, b] = [ocrLineBox(one), ocrLineBox(other)];
  const middle = (b.y0 + b.y1) / 2;
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < middle && middle < a.y1;
}

/** Returns sentences on missing or unreliable parts of a reading; empty if it is reliable. */
export function unreadParts(result: OcrResult, picture: Picture): string[] {
  const words = allWords(result);
  const letters = words.reduce((sum, { text }) => sum + textLetters(text), 0);
  const ofArea = hasUnreadLine(picture, words)
    ? ['Part of the picture looks like text that could not be read.']
    : [];
  const boxes = result.lines.filter(({ text }) => textLetters(text) > 0).map(ocrLineBox);
  const ofEdge = isCut(picture, boxes) ? ['The text of the image runs over its edge.'] : [];
  if (letters === 0) return ofArea;
  if (result.confidence < RELIABLE_FROM)
    return [
      `The text of the image could not be read well: confidence ${Math.round(result.confidence)} of 100.`,
    ];
  const poor = words
    .filter(({ confidence }) => confidence < WORD_FROM)
    .reduce((sum, { text }) => sum + textLetters(text), 0);
  const ofWords =
    poor / letters > POOR_LETTERS ? ['Part of the text of the image could not be read well.'] : [];
  return [...ofWords, ...ofArea, ...ofEdge];
}

/**
 * Difference between neighbouring pixels that marks a stroke's edge, and the share of such pixels in text.
 */
const EDGE = 40;
const EDGES = 0.04;
/** Tiles along the shorter side. */
const TILES = 40;

/** Returns whether there is a line that looks like letters outside the words that were read. */
function hasUnreadLine(picture: Picture, words: readonly OcrWord[]): boolean {
  const { width, height } = picture;
  const tile = Math.max(12, Math.round(Math.min(width, height) / TILES));
  const [columns, rows] = [Math.ceil(width / tile), Math.ceil(height / tile)];
  const isCovered = wordCover(words, tile, columns, rows);
  for (let row = 0; row < rows; row += 1) {
    let run = 0;
    for (let column = 0; column < columns; column += 1) {
      const isUnread =
        isCovered[row * columns + column] === 0 && hasStrokes(picture, column * tile, row * tile, tile);
      run = isUnread ? run + 1 : 0;
      if (run >= LINE_TILES) return true;
    }
  }
  return false;
}

function wordCover(words: readonly OcrWord[], tile: number, columns: number, rows: number): Uint8Array {
  const covered = new Uint8Array(columns * rows);
  for (const { confidence, box } of words) {
    if (confidence < WORD_FROM) continue;
    const lastRow = Math.min(rows - 1, Math.floor((box.y1 + tile / 2) / tile));
    const lastColumn = Math.min(columns - 1, Math.floor((box.x1 + tile / 2) / tile));
    for (let row = Math.max(0, Math.floor((box.y0 - tile / 2) / tile)); row <= lastRow; row += 1)
      for (let col = Math.max(0, Math.floor((box.x0 - tile / 2) / tile)); col <= lastColumn; col += 1)
        covered[row * columns + col] = 1;
  }
  return covered;
}

function hasStrokes({ grey, width, height }: Picture, left: number, top: number, tile: number): boolean {
  const [right, bottom] = [Math.min(width, left + tile) - 1, Math.min(height, top + tile)];
  let [edges, pixels] = [0, 0];
  for (let y = top; y < bottom; y += 2) {
    for (let at = y * width + left; at < y * width + right; at += 1) {
      pixels += 1;
      if (Math.abs((grey[at + 1] ?? 0) - (grey[at] ?? 0)) > EDGE) edges += 1;
    }
  }
  return pixels > 0 && edges / pixels > EDGES;
}

type WordBox = OcrWord['box'];

/** Share of a screenshot's width: no app sets text so near its left or right edge. */
const EDGE_SHARE = 0.008;
/** Lines at the left or right edge from which the picture counts as part of a larger one. */
const CUT_LINES = 2;
/** Difference of shades across a stroke's border, over the two pixels of its soft edge. */
const STROKE_EDGE = 40;
/** Share of the width that a stroke of a letter has at most; anything wider is an area. */
const STROKE_SHARE = 0.03;
/** Strokes at the upper or lower edge from which a line counts as cut; frames and rules have fewer. */
const CUT_STROKES = 4;
/** Pixels that a stroke extends into the picture: strokes in an edge row of noise have one pixel. */
const STROKE_DEPTH = 2;
/** Maximum distance between the last line of a bubble and its border, in line heights. */
const PADDING_LINES = 2.5;
/** Largest difference of shades within one area. JPEG and gradients cause differences of this size. */
const SAME_SHADE = 5;

/**
 * Returns whether the picture is a part of a larger one, so that text is missing: lines touch the left or right edge,
 * or letters, or the bubble around the nearest line, touch the upper or lower edge.
 * @param lines Boxes of the lines that were read.
 */
export function isCut(picture: Picture, lines: readonly WordBox[]): boolean {
  const { width, height } = picture;
  const margin = pictureMargin(picture);
  const atLeft = lines.filter(({ x0 }) => x0 <= margin).length;
  const atRight = lines.filter(({ x1 }) => x1 >= width - margin).length;
  if (Math.max(atLeft, atRight) >= CUT_LINES) return true;
  const isNear = (distance: number, { y0, y1 }: WordBox) => distance < PADDING_LINES * (y1 - y0);
  const first = lines.filter((line) => isNear(line.y0, line));
  const last = lines.filter((line) => isNear(height - line.y1, line));
  return (
    isCutAt(picture, [0, STROKE_DEPTH], first) ||
    isCutAt(picture, [height - 1, height - 1 - STROKE_DEPTH], last)
  );
}

const pictureMargin = ({ width }: Picture) => Math.max(3, width * EDGE_SHARE);

function isCutAt(
  picture: Picture,
  [edge, inner]: [edge: number, inner: number],
  near: readonly WordBox[],
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

/**
 * Returns whether a line lies within an area of one shade that, on this row, ends before both sides of the
 * picture.
 */
function isInBubble(picture: Picture, y: number, { x0, x1 }: WordBox): boolean {
  const { grey, width } = picture;
  const row = grey.subarray(y * width, (y + 1) * width);
  const shade = [...row.subarray(Math.max(0, x0), x1)].sort((a, b) => a - b)[Math.floor((x1 - x0) / 2)];
  if (shade === undefined) return false;
  const isInside = (x: number) => Math.abs((row[x] ?? 0) - shade) <= SAME_SHADE;
  let [left, right] = [x0, x1];
  while (left >= 0 && isInside(left)) left -= 1;
  while (right < width && isInside(right)) right += 1;
  const margin = pictureMargin(picture);
  return left < x0 && right > x1 && left > margin && right < width - margin;
}

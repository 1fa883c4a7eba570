import { setImmediate } from 'node:timers/promises';

/** Work in steps. Between two steps the thread can do other work. The result does not depend on it. */
export type Steps<T> = Generator<void, T, void>;

/** Longest time in milliseconds that a long text holds the event loop before other work has its turn. */
const TURN_MS = 20;
/** Characters in which one search looks for the beginning of a match before the next step. */
const PIECE = 64 * 1024;
/** Longest match in characters of a pattern that declares no other. */
const REACH = 8 * 1024;
/** Characters before a place that decide whether a match begins there, and after it whether it ends. */
const CONTEXT = 256;

let turns: Promise<void> = Promise.resolve();

/** Waits until other work had its turn. Of several callers one continues at a turn. */
export function nextTurn(): Promise<void> {
  turns = turns.then(() => setImmediate());
  return turns;
}

/**
 * Does the steps, and lets other work have its turn after every 20 ms. Of several long works one continues at a turn, so that
 * they hold the event loop no longer together than one alone.
 */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    since = performance.now();
  }
}

/**
 * Calls `use` with each match of a global pattern and its place in the text. The matches are those of `matchAll` on the whole
 * text: a piece is searched with the characters around it, and the search continues where the last match ended.
 * @param reach longest match in characters. A match that is longer is read again with twice the text.
 */
export function* eachMatch(
  text: string,
  pattern: RegExp,
  use: (match: RegExpExecArray, index: number) => void,
  { reach = REACH, piece = PIECE }: { reach?: number; piece?: number } = {},
): Steps<void> {
  let from = 0;
  let margin = reach;
  while (from < text.length) {
    const border = afterPair(text, from + piece);
    const start = Math.max(0, from - CONTEXT);
    const part = text.slice(start, border + margin);
    const isRest = start + part.length >= text.length;
    let next = border;
    let isShort = false;
    for (let at = from; at < border && !isShort;) {
      // Set each time, because `use` may search with the same pattern.
      pattern.lastIndex = at - start;
      const match = pattern.exec(part);
      if (match === null) break;
      const index = start + match.index;
      if (index >= border) break;
      const to = index + match[0].length;
      isShort = !isRest && to + CONTEXT > start + part.length;
      if (isShort) next = index;
      else {
        use(match, index);
        at = Math.max(to, index + 1);
        next = Math.max(border, at);
      }
    }
    margin = isShort ? 2 * margin : reach;
    from = next;
    yield;
  }
  pattern.lastIndex = 0;
}

/** Returns what `toValues` makes of each match. @param toValues and options as `eachMatch`. */
export function* flatMatches<T>(
  text: string,
  pattern: RegExp,
  toValues: (match: RegExpExecArray, index: number) => readonly T[],
  options: { reach?: number; piece?: number } = {},
): Steps<T[]> {
  const found: T[] = [];
  yield* eachMatch(
    text,
    pattern,
    (match, index) => {
      for (const value of toValues(match, index)) found.push(value);
    },
    options,
  );
  return found;
}

/** Returns a place that does not divide a character of two code units. */
function afterPair(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

/** A masked range of a text: the first character, and the one after the last. */
export type Range = readonly [from: number, to: number];

/** Replacement of a secret. It is always the same, so that the same text has the same hash. */
export const MASK = '[masked]';

/** Returns ranges in their order, each overlapping or adjacent group as one range. */
export function mergedRanges(ranges: readonly Range[]): Range[] {
  const apart: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last === undefined || from > last[1]) apart.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return apart;
}

/** One value in a text. */
export interface FoundValue {
  from: number;
  to: number;
  /** Class in capitals, or the name of a pattern. */
  label: string;
  /** The value without its spelling: equal for all spellings of one value. */
  plain: string;
}

/**
 * Returns a text with each found value replaced.
 * @param found in the order of the text, without overlaps.
 */
export function replaceValues(
  text: string,
  found: readonly FoundValue[],
  replacement: (value: FoundValue) => string,
): string {
  let replaced = '';
  let done = 0;
  for (const value of found) {
    replaced += text.slice(done, value.from) + replacement(value);
    done = value.to;
  }
  return replaced + text.slice(done);
}

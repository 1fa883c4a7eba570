const CODE = {
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** The content of a JSON text, counted before it is parsed. */
export interface JsonCounts {
  /** Upper bound of the values: every value but the first follows a comma, a colon or an opening bracket. */
  values: number;
  /** Number of keys of the widest object. */
  keys: number;
  /** Elements of the longest array within the first `OUTER_LEVELS` levels, where answers have their lists. */
  outerItems: number;
  /** True if the text begins as an array. */
  isArray: boolean;
  /** Bytes of the longest string. */
  longestString: number;
}

/** Number of outer levels: `{ "result": { "tools": [` has three, and a batch adds one. */
const OUTER_LEVELS = 4;

/**
 * Counts the values of a JSON text in its raw bytes, piece by piece as they arrive. A parser would build an
 * excessive text before it could be rejected: 10 MB of `{}` take a minute and 1.6 GB. A text that is not JSON
 * is counted as if it were.
 */
export class JsonCounter {
  readonly counts: JsonCounts = { values: 1, keys: 0, outerItems: 0, isArray: false, longestString: 0 };
  /** Keys so far per open bracket that has some: a text can open millions of brackets. */
  private readonly keys: number[] = [];
  /** Elements so far of the open array per outer level; NaN for an object. */
  private readonly items: number[] = [];
  private depth = 0;
  private hasBegun = false;
  private isEscaped = false;
  /** Bytes of the string that is open, or -1. */
  private stringBytes = -1;

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.stringBytes >= 0) at = this.readString(bytes, at);
      else this.read(bytes[at] as number);
    }
  }

  private read(code: number): void {
    if (code <= 0x20) return;
    const { counts } = this;
    if (!this.hasBegun) {
      this.hasBegun = true;
      counts.isArray = code === CODE.openArray;
    }
    if (code === CODE.quote) {
      this.stringBytes = 0;
      this.isEscaped = false;
    } else if (code === CODE.comma) {
      counts.values += 1;
      if (this.depth <= OUTER_LEVELS) this.sawElement();
    } else if (code === CODE.colon) {
      const keys = (this.keys[this.depth] ?? 0) + 1;
      this.keys[this.depth] = keys;
      if (keys > counts.keys) counts.keys = keys;
    } else if (code === CODE.openArray || code === CODE.openObject) {
      counts.values += 1;
      this.depth += 1;
      if (this.depth <= OUTER_LEVELS) this.items[this.depth] = code === CODE.openArray ? 1 : Number.NaN;
    } else if ((code === CODE.closeArray || code === CODE.closeObject) && this.depth > 0) {
      if (this.keys.length > this.depth) this.keys.length = this.depth;
      this.depth -= 1;
    }
  }

  private sawElement(): void {
    const items = (this.items[this.depth] ?? Number.NaN) + 1;
    this.items[this.depth] = items;
    if (items > this.counts.outerItems) this.counts.outerItems = items;
  }

  /** Returns the position of the string's last byte within these bytes. */
  private readString(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at += 1) {
      const code = bytes[at];
      if (this.isEscaped) this.isEscaped = false;
      else if (code === CODE.backslash) this.isEscaped = true;
      else if (code === CODE.quote) return this.endString(at, at - from);
      // A parser stops at a raw line break inside a string. In a stream of events, the next field begins
      // there.
      if (code === CODE.lineFeed || code === CODE.carriageReturn) return this.endString(at, at - from);
    }
    this.stringBytes += bytes.length - from;
    return bytes.length;
  }

  private endString(at: number, bytes: number): number {
    const { counts } = this;
    counts.longestString = Math.max(counts.longestString, this.stringBytes + bytes);
    this.stringBytes = -1;
    return at;
  }
}

/** Counts a whole JSON text in one pass over its bytes. */
export function countJson(text: Uint8Array): JsonCounts {
  const counter = new JsonCounter();
  counter.push(text);
  return counter.counts;
}

import { createHash, type Hash } from 'node:crypto';
import { JsonCounter, type JsonCounts } from '@casefile/contracts';

/** A line that is not passed on. */
export interface RefusedLine {
  bytes: number;
  sha256: string;
  /** Its first and last kilobyte. */
  head: string;
  tail: string;
  /** The limit that it exceeds. */
  why: string;
}

/** Limits of one line. */
export interface LineBounds {
  bytes: number;
  /** JSON values: parsing many small ones takes far more time and memory than their bytes. */
  values: number;
}

const NEWLINE = 10;
const SHOWN = 1_024;

/**
 * Passes on complete lines of a stream and drops lines that exceed a limit while they arrive. Of a dropped
 * line, it keeps the length, the SHA-256 and the two ends. So memory stays bounded whatever a server sends.
 */
export class LineLimit {
  private parts: Buffer[] = [];
  private bytes = 0;
  private counter = new JsonCounter();
  private why = '';
  private hash: Hash | null = null;
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);

  constructor(
    private readonly bounds: LineBounds,
    private readonly take: (line: Buffer, counts: JsonCounts) => void,
    private readonly refuse: (line: RefusedLine) => void,
  ) {}

  push(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, from);
      this.append(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.end(true);
      from = end + 1;
    }
  }

  /** Continues the current line with bytes that do not end it. */
  append(part: Buffer): void {
    this.bytes += part.length;
    if (this.hash !== null) return this.drop(part);
    this.counter.push(part);
    this.parts.push(part);
    this.why = whyNot({ bytes: this.bytes, values: this.counter.counts.values }, this.bounds);
    if (this.why === '') return;
    const soFar = Buffer.concat(this.parts);
    this.parts = [];
    this.hash = createHash('sha256');
    this.head = Buffer.from(soFar.subarray(0, SHOWN));
    this.tail = Buffer.alloc(0);
    this.drop(soFar);
  }

  /** Ends the current line. An empty line is passed on only if a newline ended it. */
  end(newline = false): void {
    const { parts, bytes, counter, hash, head, tail, why } = this;
    this.parts = [];
    this.bytes = 0;
    this.counter = new JsonCounter();
    this.hash = null;
    if (bytes === 0 && !newline) return;
    if (hash === null) return this.take(Buffer.concat(parts), counter.counts);
    this.refuse({ bytes, sha256: hash.digest('hex'), head: head.toString(), tail: tail.toString(), why });
  }

  private drop(part: Buffer): void {
    this.hash?.update(part);
    const last = part.subarray(-SHOWN);
    this.tail = Buffer.from(Buffer.concat([this.tail, last]).subarray(-SHOWN));
  }
}

/** Returns the limit that these sizes exceed, or '' if there is none. */
export function whyNot({ bytes, values }: LineBounds, most: LineBounds): string {
  if (bytes > most.bytes) return `more than ${most.bytes} bytes`;
  if (values > most.values) return `more than ${most.values} values`;
  return '';
}

/** Describes a completely received line as refused. */
export function refusedLine(line: Buffer, why: string): RefusedLine {
  return {
    bytes: line.length,
    sha256: createHash('sha256').update(line).digest('hex'),
    head: line.subarray(0, SHOWN).toString(),
    tail: line.subarray(-SHOWN).toString(),
    why,
  };
}

import { createHash, type Hash } from 'node:crypto';

/** A line that was longer than it may be. */
export interface LongLine {
  bytes: number;
  sha256: string;
  /** Its first and last kilobyte. */
  head: string;
  tail: string;
}

const NEWLINE = 10;
const SHOWN = 1_024;

/**
 * Passes on the lines of a stream whole, and drops those that are longer than `max` bytes while they come in: what is kept of
 * one is its length, its SHA-256 and its two ends, so that memory stays bounded whatever a server sends.
 */
export class LineLimit {
  private parts: Buffer[] = [];
  private bytes = 0;
  private hash: Hash | null = null;
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);

  constructor(
    private readonly max: number,
    private readonly take: (line: Buffer) => void,
    private readonly tooLong: (line: LongLine) => void,
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

  /** Of what ends without a newline: it goes on with the line under way. */
  append(part: Buffer): void {
    this.bytes += part.length;
    if (this.hash !== null) return this.drop(part);
    this.parts.push(part);
    if (this.bytes <= this.max) return;
    const soFar = Buffer.concat(this.parts);
    this.parts = [];
    this.hash = createHash('sha256');
    this.head = Buffer.from(soFar.subarray(0, SHOWN));
    this.tail = Buffer.alloc(0);
    this.drop(soFar);
  }

  /** The line ends here, also without a newline; an empty one counts where there is one. */
  end(newline = false): void {
    const { parts, bytes, hash, head, tail } = this;
    this.parts = [];
    this.bytes = 0;
    this.hash = null;
    if (bytes === 0 && !newline) return;
    if (hash === null) return this.take(Buffer.concat(parts));
    this.tooLong({ bytes, sha256: hash.digest('hex'), head: head.toString(), tail: tail.toString() });
  }

  private drop(part: Buffer): void {
    this.hash?.update(part);
    const last = part.subarray(-SHOWN);
    this.tail = Buffer.from(Buffer.concat([this.tail, last]).subarray(-SHOWN));
  }
}

/** Code of the answer that stands in the place of one that is too long. */
export const TOO_LONG = -32_099;

const AT_HEAD = /^(?:data:)?\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,/;
const AT_TAIL = /,\s*"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The JSON-RPC answer to the same request that says how long the real one was; null: it cannot be told which request it was. */
export function inPlaceOf({ head, tail, bytes, sha256 }: LongLine) {
  const id = AT_HEAD.exec(head)?.[1] ?? AT_TAIL.exec(tail)?.[1];
  if (id === undefined) return null;
  const message = `the answer has ${bytes} bytes`;
  const error = { code: TOO_LONG, message, data: { bytes, sha256 } };
  return { jsonrpc: '2.0' as const, id: Number(id), error };
}

import { createHash, type Hash } from 'node:crypto';
import { JsonCounter, type JsonCounts } from '@casefile/contracts';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

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
function refusedLine(line: Buffer, why: string): RefusedLine {
  return {
    bytes: line.length,
    sha256: createHash('sha256').update(line).digest('hex'),
    head: line.subarray(0, SHOWN).toString(),
    tail: line.subarray(-SHOWN).toString(),
    why,
  };
}

/** Most tools of one list. Each is checked against a schema and kept in memory. */
export const MOST_TOOLS = 1_000;

const LIST = 'tools/list';
/** Bytes at each end of a message that are searched for its id. */
const ENDS = 256;

/** Codes of errors that replace an answer: a refused answer, and an answer that never arrived. */
export const REFUSED = -32_099;
export const ENDED = -32_098;

/** Describes why a refused answer was not kept. */
export interface RefusedData {
  why: string;
  bytes: number;
  sha256: string;
}

type RequestId = number | string;

const AT_HEAD =
  /^(?:data:)?\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"[\w:-]{1,64}")\s*,/;
const AT_TAIL = /,\s*"id"\s*:\s*(\d{1,15}|"[\w:-]{1,64}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** Returns the id of the request that a message answers, if its two ends show it. */
export function refusedLineId({ head, tail }: Pick<RefusedLine, 'head' | 'tail'>): RequestId | null {
  const id = AT_HEAD.exec(head)?.[1] ?? AT_TAIL.exec(tail)?.[1];
  return id === undefined ? null : (JSON.parse(id) as RequestId);
}

/**
 * Tracks the open requests of one connection. An answer that must not be parsed is replaced with an error, so
 * that its request ends and the connection stays open.
 */
export class MessageGate {
  private readonly waiting = new Map<RequestId, string>();

  /** Records a sent message. Returns its id, or null if it expects no answer. */
  sent(message: JSONRPCMessage): RequestId | null {
    if (!('method' in message)) return null;
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'number' || typeof id === 'string') this.waiting.delete(id);
    }
    if (!('id' in message)) return null;
    this.waiting.set(message.id, message.method);
    return message.id;
  }

  /**
   * Ends a request without its answer. Returns the replacing error, or null if the request was already
   * answered.
   */
  ended(id: RequestId): JSONRPCMessage | null {
    if (!this.waiting.delete(id)) return null;
    const message = 'the server ended its answer without a result';
    return { jsonrpc: '2.0', id, error: { code: ENDED, message } };
  }

  /** Checks a line before it is parsed. Returns null if it may be parsed, else the refused line. */
  check(line: Buffer, { outerItems }: JsonCounts): RefusedLine | null {
    const id = refusedLineId({
      head: line.subarray(0, ENDS).toString(),
      tail: line.subarray(-ENDS).toString(),
    });
    if (outerItems > MOST_TOOLS && this.mayBeList(id))
      return refusedLine(line, `a list of ${outerItems} entries, more than ${MOST_TOOLS}`);
    if (id !== null) this.waiting.delete(id);
    return null;
  }

  /** Returns the error that replaces a refused answer, or null if its request is unknown. */
  inPlaceOf(line: RefusedLine): JSONRPCMessage | null {
    const id = refusedLineId(line);
    if (id === null) return null;
    this.waiting.delete(id);
    const { bytes, sha256, why } = line;
    const data: RefusedData = { bytes, sha256, why };
    return { jsonrpc: '2.0', id, error: { code: REFUSED, message: why, data } };
  }

  // A message without a visible id may answer any request.
  private mayBeList(id: RequestId | null): boolean {
    const method = id === null ? undefined : this.waiting.get(id);
    return method === undefined ? [...this.waiting.values()].includes(LIST) : method === LIST;
  }
}

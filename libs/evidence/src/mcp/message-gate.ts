import type { JsonCounts } from '@casefile/contracts';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { refusedLine, type RefusedLine } from './line-limit.js';

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

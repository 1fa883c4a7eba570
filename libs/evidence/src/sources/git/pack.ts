import { createHash } from 'node:crypto';
import { createInflate, inflateSync } from 'node:zlib';
import { CasefileError } from '@casefile/contracts';
import { applyDelta, broken, resultSize, varint } from './delta.js';

export interface PackLimits {
  objects: number;
  /** Most bytes of one object, unpacked. A larger blob is skipped; any other larger object is refused. */
  objectBytes: number;
  /** Most bytes of all objects, unpacked. */
  allBytes: number;
}

type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

interface Entry {
  /** Position in the pack, from 1. */
  number: number;
  kind: ObjectKind | 'delta';
  /** Offset of its compressed content. */
  at: number;
  /** Unpacked size; for a delta, the size of the delta itself. */
  size: number;
  /** Base of a delta: its offset or its id. */
  base?: number | string;
}

/** An object exceeds the limits. The ids of the objects before it are known. */
export class OverLimit extends Error {
  constructor(
    readonly object: string,
    readonly problem: string,
  ) {
    super(`${object} ${problem}`);
  }
}

const KINDS: Record<number, Entry['kind']> = {
  1: 'commit',
  2: 'tree',
  3: 'blob',
  4: 'tag',
  6: 'delta',
  7: 'delta',
};
const OFFSET_DELTA = 6;
const HEADER_BYTES = 12;
const ID_BYTES = 20;
/** Git itself makes chains of at most 50. */
const LONGEST_CHAIN = 250;

/** A Git pack. Its objects are counted before any is kept, and unpacked one at a time when they are read. */
export class Pack {
  private readonly entries = new Map<number, Entry>();
  private readonly places = new Map<string, number>();
  private readonly count: number;
  private total = 0;

  /** @throws CasefileError `unreadable_document` */
  constructor(
    private readonly bytes: Buffer,
    private readonly limits: PackLimits,
  ) {
    if (
      bytes.length < HEADER_BYTES ||
      bytes.toString('latin1', 0, 4) !== 'PACK' ||
      bytes.readUInt32BE(4) !== 2
    )
      throw broken('is not a pack');
    this.count = bytes.readUInt32BE(8);
  }

  /**
   * Returns the content of an object of this kind, or null if the pack has no such object within the limits.
   */
  read(id: string, kind: ObjectKind): Buffer | null {
    const place = this.places.get(id);
    return place === undefined || this.kindAt(place) !== kind ? null : this.contentAt(place);
  }

  has(id: string): boolean {
    return this.places.has(id);
  }

  /**
   * Computes the id of each object within the limits.
   * @throws OverLimit; CasefileError `unreadable_document` for a broken pack.
   */
  async index(): Promise<void> {
    const { objects, objectBytes } = this.limits;
    if (this.count > objects)
      throw new OverLimit('It', `has ${figure(this.count)} objects, and at most ${figure(objects)} are read`);
    const deltas: number[] = [];
    let at = HEADER_BYTES;
    for (let number = 1; number <= this.count; number += 1) {
      const entry: Entry = { number, ...this.headerAt(at) };
      this.entries.set(at, entry);
      this.countIn(entry.size, number);
      if (entry.kind === 'delta') deltas.push(at);
      at = entry.at + (entry.size > objectBytes ? await this.passOver(entry) : this.indexObject(entry, at));
    }
    this.indexDeltas(deltas);
  }

  /** Returns the compressed bytes of the object. */
  private indexObject(entry: Entry, at: number): number {
    const { content, length } = this.unpacked(entry);
    if (entry.kind !== 'delta') this.places.set(objectId(entry.kind, content), at);
    return length;
  }

  // A base may come after its delta, and may be a delta itself.
  private indexDeltas(deltas: readonly number[]): void {
    let left = deltas;
    while (left.length > 0) {
      const later = left.filter((at) => !this.indexDelta(at));
      if (later.length === left.length) throw broken('has a delta without its base');
      left = later;
    }
  }

  /** Returns whether the base of the delta is already known. */
  private indexDelta(at: number): boolean {
    const kind = this.kindAt(at);
    if (kind === null) return false;
    const entry = this.entryAt(at);
    const size = resultSize(this.unpacked(entry).content);
    this.countIn(size, entry.number);
    const content = size > this.limits.objectBytes ? null : this.contentAt(at);
    if (content !== null) this.places.set(objectId(kind, content), at);
    return true;
  }

  private contentAt(at: number): Buffer | null {
    const chain = this.chainAt(at);
    const root = chain?.pop();
    if (chain === null || root === undefined || root.size > this.limits.objectBytes) return null;
    let { content } = this.unpacked(root);
    for (const entry of chain.reverse()) {
      const delta = this.unpacked(entry).content;
      if (resultSize(delta) > this.limits.objectBytes) return null;
      content = applyDelta(content, delta);
    }
    return content;
  }

  /** Kind of a delta's result, which is the kind of its first base; null: not yet known. */
  private kindAt(at: number): ObjectKind | null {
    const kind = this.chainAt(at)?.at(-1)?.kind;
    return kind === undefined || kind === 'delta' ? null : kind;
  }

  /** Deltas from this one to a complete object; null: a base is not yet known. */
  private chainAt(at: number): Entry[] | null {
    const chain: Entry[] = [];
    for (let place: number | undefined = at; place !== undefined;) {
      const entry: Entry = this.entryAt(place);
      chain.push(entry);
      if (entry.kind !== 'delta') return chain;
      if (chain.length > LONGEST_CHAIN) throw broken(`has a chain of more than ${LONGEST_CHAIN} deltas`);
      place = typeof entry.base === 'string' ? this.places.get(entry.base) : entry.base;
    }
    return null;
  }

  private entryAt(at: number): Entry {
    const entry = this.entries.get(at);
    if (entry === undefined) throw broken('has a delta whose base is not an object');
    return entry;
  }

  private headerAt(at: number): Omit<Entry, 'number'> {
    const first = this.bytes[at] ?? 0;
    const number = (first >> 4) & 7;
    const kind = KINDS[number];
    if (kind === undefined) throw broken('has an object of an unknown kind, or breaks off');
    const size =
      first < 0x80 ? { value: first & 15, at: at + 1 } : varint(this.bytes, at + 1, first & 15, 16);
    if (kind !== 'delta') return { kind, at: size.at, size: size.value };
    if (number !== OFFSET_DELTA) {
      const end = size.at + ID_BYTES;
      return { kind, at: end, size: size.value, base: this.bytes.toString('hex', size.at, end) };
    }
    const back = this.offsetAt(size.at);
    return { kind, at: back.at, size: size.value, base: at - back.value };
  }

  // Offsets use another integer form than sizes: the highest bits first, and one added per byte.
  private offsetAt(from: number): { value: number; at: number } {
    let value = -1;
    for (let at = from; at < from + 7; at += 1) {
      const byte = this.bytes[at] ?? 0;
      value = (value + 1) * 128 + (byte & 0x7f);
      if (byte < 0x80) return { value, at: at + 1 };
    }
    throw broken('has a delta whose base is not an object');
  }

  private unpacked({ at, size }: Entry): { content: Buffer; length: number } {
    const options = { info: true, maxOutputLength: Math.max(1, size) } as const;
    try {
      const { buffer, engine } = inflateSync(this.bytes.subarray(at), options) as unknown as {
        buffer: Buffer;
        engine: { bytesWritten: number };
      };
      if (buffer.length === size) return { content: buffer, length: engine.bytesWritten };
    } catch (error) {
      throw cannotUnpack(error);
    }
    throw broken('has an object of another size than it says');
  }

  /** Returns the compressed bytes of a large blob, which is unpacked in pieces without keeping any. */
  private passOver({ number, kind, at, size }: Entry): Promise<number> {
    if (kind !== 'blob') throw this.tooLarge(number, size, this.limits.objectBytes);
    const inflate = createInflate();
    let seen = 0;
    return new Promise((resolve, reject) => {
      inflate.on('data', (piece: Buffer) => {
        seen += piece.length;
        if (seen > size) inflate.destroy(broken('has an object of another size than it says'));
      });
      inflate.once('end', () => resolve(inflate.bytesWritten));
      inflate.once('error', (error) => {
        reject(error instanceof CasefileError ? error : cannotUnpack(error));
      });
      inflate.end(this.bytes.subarray(at));
    });
  }

  private countIn(size: number, number: number): void {
    this.total += size;
    if (this.total > this.limits.allBytes) throw this.tooLarge(number, size, this.limits.allBytes);
  }

  private tooLarge(number: number, size: number, limit: number): OverLimit {
    const all = limit === this.limits.allBytes ? ' in all' : '';
    const problem = `unpacks to ${figure(size)} bytes, and at most ${figure(limit)} bytes${all} are read`;
    return new OverLimit(`Object ${number} of ${this.count}`, problem);
  }
}

const cannotUnpack = (error: unknown): CasefileError =>
  broken(`has an object that cannot be unpacked: ${(error as Error).message}`);

function objectId(kind: string, content: Buffer): string {
  return createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex');
}

const figure = (value: number): string => value.toLocaleString('en');

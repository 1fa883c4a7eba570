import { CasefileError } from '@casefile/contracts';

/** Reads a Git integer: seven bits per byte, the lowest first. Returns it with the position after it. */
export function varint(bytes: Buffer, from: number, value = 0, unit = 1): { value: number; at: number } {
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined || unit > Number.MAX_SAFE_INTEGER / 256) throw broken('breaks off');
    value += (byte & 0x7f) * unit;
    unit *= 128;
    at += 1;
    if (byte < 0x80) return { value, at };
  }
}

/** Size in bytes of the object that a delta produces. */
export function resultSize(delta: Buffer): number {
  return varint(delta, varint(delta, 0).at).value;
}

/** Applies a delta to its base. @throws CasefileError if the delta does not belong to this base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const source = varint(delta, 0);
  const target = varint(delta, source.at);
  if (source.value !== base.length) throw broken('has a delta of another base');
  const result = Buffer.alloc(target.value);
  let { at } = target;
  let filled = 0;
  const next = (): number => delta[at++] ?? 0;
  while (at < delta.length) {
    const code = next();
    const isCopy = code >= 0x80;
    const from = isCopy ? base : delta;
    let start = at;
    let length = code;
    if (isCopy) {
      start = 0;
      for (let i = 0; i < 4; i += 1) if (code & (1 << i)) start += next() * 256 ** i;
      length = 0;
      for (let i = 0; i < 3; i += 1) if (code & (0x10 << i)) length += next() * 256 ** i;
      length ||= 0x10000;
    } else at += length;
    if (code === 0 || start + length > from.length || filled + length > result.length)
      throw broken('has a delta that leads out of its base');
    from.copy(result, filled, start, start + length);
    filled += length;
  }
  if (filled !== result.length) throw broken('has a delta that ends too early');
  return result;
}

export function broken(what: string): CasefileError {
  return new CasefileError('unreadable_document', `the pack that its server sent ${what}`);
}

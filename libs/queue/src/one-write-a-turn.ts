import type { Writable } from 'node:stream';

/**
 * Sends what is written in one turn of the event loop in one go. Each write to a socket is a call into the kernel
 * that wakes the other side: with many small ones that costs more than the work they ask for.
 */
export function oneWriteATurn(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let held = false;
  const hold = (): void => {
    if (held) return;
    held = true;
    stream.cork();
    setImmediate(() => {
      held = false;
      stream.uncork();
    });
  };
  stream.write = ((...args: unknown[]) => {
    hold();
    return write(...args);
  }) as typeof stream.write;
}

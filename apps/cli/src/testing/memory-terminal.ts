import pc from 'picocolors';
import type { Terminal } from '../output/terminal.js';

/** A terminal that records its output. Like a pipe, it has no colours and no bars. */
export function memoryTerminal(): Terminal & { lines: string[]; errors: string[] } {
  const lines: string[] = [];
  const errors: string[] = [];
  return {
    lines,
    errors,
    out: (line) => void lines.push(line),
    err: (line) => void errors.push(line),
    hasBar: false,
    colors: pc.createColors(false),
    width: 160,
  };
}

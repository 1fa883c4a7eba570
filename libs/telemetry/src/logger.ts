import type { Logger } from '@casefile/contracts';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';

export interface LogOptions {
  level: string;
  service: string;
  /** Where lines go; standard error when absent, so that standard output stays for people and pipes. */
  destination?: DestinationStream;
}

/** Structured JSON lines by pino; keys and headers that carry secrets are cut out. */
export function createLogger(options: LogOptions): Logger {
  const redact = ['*.apiKey', '*.authorization', '*.headers.authorization', 'apiKey', 'authorization'];
  const base = { service: options.service };
  const lines = options.destination ?? pino.destination({ dest: 2, sync: false });
  const destination = { write: (line: string) => void lines.write(visible(line)) };
  const serializers = { error: pino.stdSerializers.err };
  return wrap(
    pino(
      { level: options.level, base, redact, serializers, timestamp: pino.stdTimeFunctions.isoTime },
      destination,
    ),
  );
}

// JSON escapes C0 controls only. C1 and bidirectional controls, zero-width and tag characters in what a provider or a sender
// wrote would reach the terminal of the reader of the file.
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** A line of JSON with its control and hidden characters as JSON escapes: it is the same value. */
function visible(line: string): string {
  return line.replace(UNSEEN, (found) => {
    const units = Array.from({ length: found.length }, (_, i) => found.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

function wrap(root: Pino): Logger {
  return lazily(root, () => root);
}

/** Each stage has a logger of its own and most say nothing: it is made when something is said. */
function lazily(root: Pino, make: () => Pino): Logger {
  let made: Pino | undefined;
  const inner = (): Pino => (made ??= make());
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): Logger['info'] =>
    (facts, message) => {
      if (root.isLevelEnabled(level)) inner()[level](facts, message);
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (facts) => lazily(root, () => inner().child(facts)),
  };
}

import type { Logger } from '@casefile/contracts';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { loggedFacts } from './logged-error.js';

export interface LogOptions {
  level: string;
  service: string;
  /**
   * Destination of log lines. Default: standard error, so that standard output stays for people and pipes.
   */
  destination?: DestinationStream;
}

/**
 * Creates a logger of structured JSON lines (pino). Keys and headers with secrets are removed. Of every error,
 * whatever the name of its fact, only what `loggedError` returns is written.
 */
export function createLogger(options: LogOptions): Logger {
  const redact = ['*.apiKey', '*.authorization', '*.headers.authorization', 'apiKey', 'authorization'];
  const base = { service: options.service };
  const lines = options.destination ?? pino.destination({ dest: 2, sync: false });
  const destination = { write: (line: string) => void lines.write(visible(line)) };
  // `formatters` replaces errors. Pino's own serializer of `err` would add all their properties.
  const serializers = { err: (value: unknown) => value };
  const formatters = { log: loggedFacts };
  const { isoTime: timestamp } = pino.stdTimeFunctions;
  const settings = {
    level: options.level,
    base,
    redact,
    serializers,
    formatters,
    timestamp,
    mixin: traceFacts,
  };
  return wrap(pino(settings, destination));
}

/** Returns the place in the trace of a case, by the names of OpenTelemetry's log format. Empty outside of a span. */
function traceFacts(): object {
  const place = trace.getActiveSpan()?.spanContext();
  if (place === undefined || !isSpanContextValid(place)) return {};
  return { trace_id: place.traceId, span_id: place.spanId };
}

// JSON escapes only C0 controls. C1 and bidirectional controls, zero-width and tag characters in external
// text would reach the terminal of the log's reader.
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Returns a line of JSON with its control and hidden characters escaped. Its value is unchanged. */
function visible(line: string): string {
  return line.replace(UNSEEN, (found) => {
    const units = Array.from({ length: found.length }, (_, i) => found.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}

function wrap(root: Pino): Logger {
  return lazily(root, () => root);
}

/**
 * Returns a logger that is created at its first message. Each stage has its own logger, and most log nothing.
 */
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
    child: (facts) => lazily(root, () => inner().child(loggedFacts({ ...facts }))),
  };
}

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
  const destination = options.destination ?? pino.destination({ dest: 2, sync: false });
  const serializers = { error: pino.stdSerializers.err };
  return wrap(
    pino(
      { level: options.level, base, redact, serializers, timestamp: pino.stdTimeFunctions.isoTime },
      destination,
    ),
  );
}

function wrap(inner: Pino): Logger {
  return {
    debug: (facts, message) => inner.debug(facts, message),
    info: (facts, message) => inner.info(facts, message),
    warn: (facts, message) => inner.warn(facts, message),
    error: (facts, message) => inner.error(facts, message),
    child: (facts) => wrap(inner.child(facts)),
  };
}

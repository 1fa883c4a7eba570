import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@casefile/contracts';

/** Nest's own messages, in the house's log; its start-up chatter at level debug. */
export class NestLog implements LoggerService {
  constructor(private readonly out: Logger) {}

  log(message: unknown, context?: string): void {
    this.out.debug({ context }, String(message));
  }
  error(message: unknown, trace?: string, context?: string): void {
    this.out.error({ context, trace }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.out.warn({ context }, String(message));
  }
}

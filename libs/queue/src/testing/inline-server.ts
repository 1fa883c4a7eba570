import { Server, type MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { BullMqContext, type JobFacts } from '../bullmq-context.js';
import type { QueueServer } from '../bullmq-server.js';
import type { InlineQueue } from '../inline-queue.js';

/** Serves the topics of a service from an inline queue: for services whose queue is not the subject of a test. */
export class InlineServer extends Server implements QueueServer {
  constructor(private readonly queue: InlineQueue) {
    super();
  }

  work(topic: string, handler: (payload: unknown, context: BullMqContext) => Promise<void>): void {
    this.addHandler(topic, handler as MessageHandler, true);
  }

  listen(callback: (error?: unknown) => void): void {
    for (const [topic, handler] of this.getHandlers())
      this.queue.on(topic, (data, job) => answerOf(handler, data, job));
    callback();
  }

  /** Stops the queue, and with it all its servers. */
  async pause(): Promise<void> {
    this.queue.pause();
  }

  close(): Promise<void> {
    return this.queue.close();
  }

  async deafQueues(): Promise<string[]> {
    return [];
  }

  override on(event: string): never {
    throw new Error(`the inline queue has no event ${event}`);
  }

  unwrap<T>(): T {
    return this.queue as T;
  }
}

/** Runs a handler. Nest's handlers of controllers return a stream. */
async function answerOf(handler: MessageHandler, data: unknown, job: JobFacts): Promise<unknown> {
  const answer: unknown = await handler(data, new BullMqContext([job]));
  return isObservable(answer) ? lastValueFrom(answer, { defaultValue: undefined }) : answer;
}

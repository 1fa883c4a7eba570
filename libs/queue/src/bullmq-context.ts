import { BaseRpcContext } from '@nestjs/microservices';
import type { LaneGroup } from './queue-names.js';

/** What a handler may know about the job it was called for. */
export interface JobFacts {
  jobId: string;
  name: string;
  queue: string;
  topic: string;
  /** The lanes this queue is for: live work, or all the others. */
  lane: LaneGroup;
  /** From 1, counting failures; a job taken over from a dead worker keeps its number. */
  attempt: number;
  /** Times it began and never ended: its worker died, or held it past its lock. */
  stalls: number;
  /** Aborted when the job's lock is lost and when the shutdown's grace is over. */
  signal: AbortSignal;
}

/** The context that `@Ctx()` gives a handler of the queue. */
export class BullMqContext extends BaseRpcContext<[JobFacts]> {
  get job(): JobFacts {
    return this.args[0];
  }

  get jobId(): string {
    return this.job.jobId;
  }

  get name(): string {
    return this.job.name;
  }

  get queue(): string {
    return this.job.queue;
  }

  get lane(): LaneGroup {
    return this.job.lane;
  }

  get attempt(): number {
    return this.job.attempt;
  }

  get stalls(): number {
    return this.job.stalls;
  }

  get signal(): AbortSignal {
    return this.job.signal;
  }
}

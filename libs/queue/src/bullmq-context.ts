import { BaseRpcContext } from '@nestjs/microservices';
import type { LaneGroup } from '@casefile/contracts';

/** Facts about a handler's job. */
export interface JobFacts {
  jobId: string;
  name: string;
  queue: string;
  topic: string;
  /** Lanes of this queue: live work, or all other lanes. */
  lane: LaneGroup;
  /** Counts from 1, including failures. A job taken from a dead worker keeps its number. */
  attempt: number;
  /** Number of starts without an end, because the worker died or exceeded the lock time. */
  stalls: number;
  /** Aborted when the job's lock is lost and when the grace period of the shutdown is over. */
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

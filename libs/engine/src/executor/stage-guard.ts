import { CasefileError } from '@casefile/contracts';
import type { FlowPorts } from '@casefile/pipeline';

/** Limits of the code of one stage. The code may belong to a kind of case from outside. */
export interface StageLimits {
  /** Model calls. `react` with its largest setting makes 50, and repairs some of them. */
  modelCalls: number;
  /** Look-ups within the stage. `react` with its largest settings makes 1,600. */
  lookUps: number;
  /** Seconds in a row for which the stage waits for something that is not a call of its ports. */
  idleSeconds: number;
}

export const STAGE_LIMITS: StageLimits = { modelCalls: 200, lookUps: 2_000, idleSeconds: 60 };

const TICK_MS = 1_000;

/**
 * Ends stages that would never end: those that wait without a call of a model, a tool or the record under way, and
 * those that ask again and again. A stage that blocks the process is ended with the process, by the liveness probe.
 */
export class StageGuard {
  private readonly running = new Set<GuardedStage>();
  private ticking: NodeJS.Timeout | null = null;

  constructor(private readonly limits: StageLimits = STAGE_LIMITS) {}

  /**
   * Runs a stage with guarded ports.
   * @throws CasefileError `stage_stuck` or `stage_asks_too_much`; what the stage throws.
   */
  async run<T>(ports: FlowPorts, run: (ports: FlowPorts) => Promise<T>): Promise<T> {
    const stage = new GuardedStage(this.limits);
    this.running.add(stage);
    this.ticking ??= setInterval(() => this.tick(), TICK_MS).unref();
    try {
      return await Promise.race([run(stage.guarded(ports)), stage.ended]);
    } finally {
      stage.isOver = true;
      this.running.delete(stage);
    }
  }

  /**
   * Counts a second for each running stage that has no call under way. Seconds are counted, not measured: a process that
   * stood still counts one.
   */
  tick(): void {
    for (const stage of this.running) stage.tick();
    if (this.running.size > 0 || this.ticking === null) return;
    clearInterval(this.ticking);
    this.ticking = null;
  }
}

/** One running stage, with its calls. */
class GuardedStage {
  /** Rejected if the stage exceeds a limit. */
  readonly ended: Promise<never>;
  isOver = false;
  private end: (error: CasefileError) => void = () => undefined;
  private underWay = 0;
  private idle = 0;
  private readonly made = { modelCalls: 0, lookUps: 0 };

  constructor(private readonly limits: StageLimits) {
    this.ended = new Promise((_, reject) => (this.end = reject));
    this.ended.catch(() => undefined);
  }

  tick(): void {
    this.idle = this.underWay > 0 ? 0 : this.idle + 1;
    if (this.idle < this.limits.idleSeconds) return;
    const waited = `it waited ${this.limits.idleSeconds} s for something that is no call of a model or tool`;
    this.end(new CasefileError('stage_stuck', waited));
  }

  guarded(ports: FlowPorts): FlowPorts {
    const { model, tools, answers, reader } = ports;
    return {
      ...ports,
      model: {
        available: model.available,
        recorded: (step) => model.recorded(step),
        draw: (deadlineMs) => model.draw(deadlineMs),
        call: (...call) => this.during(() => model.call(...call), 'modelCalls'),
      },
      tools: {
        locality: (tool) => tools.locality(tool),
        entityTypes: (tool) => tools.entityTypes(tool),
        describe: (tool) => tools.describe(tool),
        offers: () => tools.offers(),
        recorded: (step) => tools.recorded(step),
        inline: (step, requests) =>
          this.during(() => tools.inline(step, requests), 'lookUps', requests.length),
      },
      answers: {
        take: (key, forMs) => this.during(() => answers.take(key, forMs)),
        artifact: (runId, name) => this.during(() => answers.artifact(runId, name)),
      },
      reader: {
        read: (...image) => this.during(() => reader.read(...image)),
        close: () => reader.close(),
      },
      resolvedAt: () => this.during(() => ports.resolvedAt()),
      withoutSecrets: (text) => this.during(() => ports.withoutSecrets(text)),
    };
  }

  private async during<T>(call: () => Promise<T>, counted?: 'modelCalls' | 'lookUps', count = 1): Promise<T> {
    // Code that continues after its stage was ended makes no further calls.
    if (this.isOver) throw new CasefileError('aborted', 'the stage has ended');
    if (counted !== undefined) this.count(counted, count);
    this.underWay += 1;
    this.idle = 0;
    try {
      return await call();
    } finally {
      this.underWay -= 1;
    }
  }

  private count(what: 'modelCalls' | 'lookUps', count: number): void {
    this.made[what] += count;
    if (this.made[what] <= this.limits[what]) return;
    const words = what === 'modelCalls' ? 'calls of a model' : 'look-ups';
    const error = new CasefileError('stage_asks_too_much', `it made more than ${this.limits[what]} ${words}`);
    this.end(error);
    throw error;
  }
}

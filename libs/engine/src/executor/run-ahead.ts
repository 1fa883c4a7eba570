import { AsyncResource } from 'node:async_hooks';
import {
  nextInput,
  type ArtifactName,
  type ClaimedWork,
  type CommitRequest,
  type EndedStage,
  type JsonObject,
  type Lease,
  type Move,
} from '@casefile/contracts';
import type { Stage } from '@casefile/pipeline';

/** A stage that has ended, in the form that a commit writes. */
export type FinishedStage = Omit<EndedStage, 'agoMs'> & Pick<CommitRequest, 'results'> & { endedAt: number };

/** Time after which bulk work is handed over, in milliseconds, so that live work can start. */
const BULK_MS = 200;

/**
 * Work under one lease that is not yet written: ended stages and their artifacts, which the next database write
 * stores. The input of the next stage is built from these artifacts without a read.
 */
export class RunAhead {
  /** The lease as last recorded. */
  lease: Lease;
  private unwritten: FinishedStage[] = [];
  /** Artifacts of the run that this worker read or appended, in the form that the record returns. */
  private readonly artifacts: Map<ArtifactName, JsonObject>;

  constructor(
    private readonly claimed: ClaimedWork,
    private readonly startedAt: number,
  ) {
    this.lease = claimed.lease;
    const read = Object.entries({ ...claimed.units[0]?.artifacts, ...claimed.artifacts });
    this.artifacts = new Map(read as [ArtifactName, JsonObject][]);
  }

  /**
   * Returns whether another stage may start under this lease. A stage that crashed or failed before is the only
   * stage under its lease, so that a further crash is attributed to this stage.
   */
  mayContinue(now: number): boolean {
    const { lane, crashes, failures } = this.claimed;
    return crashes === 0 && failures === 0 && (lane === 'live' || now - this.startedAt <= BULK_MS);
  }

  /** Keeps an ended stage, to be written with the next database write. */
  note(ended: FinishedStage): void {
    this.unwritten.push(ended);
  }

  /** Returns the next stage's input from memory; null: the stage must be claimed. */
  inputOf(stage: Stage, work: ClaimedWork, move: Move): ClaimedWork | null {
    return nextInput(stage, work, move, this.artifacts);
  }

  /** Returns the commit of all ended stages, including the last one. */
  commitOf(last: FinishedStage, now: number, before = this.unwritten): CommitRequest {
    const { endedAt: _, ...ending } = last;
    const earlier = before.map(({ results: _results, endedAt, ...stage }): EndedStage => ({
      ...stage,
      agoMs: Math.max(0, now - endedAt),
    }));
    const results = [...before.flatMap((stage) => stage.results), ...ending.results];
    return { ...ending, lease: this.lease, earlier, results };
  }

  /** Returns the commit of ended stages without the running one; null: all of them are recorded. */
  commitSoFar(now: number): CommitRequest | null {
    const last = this.unwritten.at(-1);
    return last === undefined ? null : this.commitOf(last, now, this.unwritten.slice(0, -1));
  }

  /** Marks everything as recorded. `lease` is the current lease. */
  written(lease: Lease = this.lease): void {
    this.unwritten = [];
    this.lease = lease;
  }
}

/**
 * Returns a function that runs code in the current async context. Node's own snapshot is several times slower
 * before Node 22.
 */
export function contextHere(): <T>(run: () => T) => T {
  const resource = new AsyncResource('CasefileStage');
  return (run) => resource.runInAsyncScope(run);
}

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

/** A stage that has ended, as a commit writes it. */
export type Ended = Omit<EndedStage, 'agoMs'> & Pick<CommitRequest, 'results'> & { endedAt: number };

/** Bulk work is handed over after so long, in milliseconds: live work comes first. R16. */
const BULK_MS = 200;

/**
 * What the record does not have yet of the work under one lease: the stages that ended and are written with the next effect,
 * and the artifacts that they appended, from which the next stage's input is made without a read.
 */
export class RunAhead {
  /** As it is on the record. */
  lease: Lease;
  private unwritten: Ended[] = [];
  /** Artifacts of the run that this worker has read or appended, as the record returns them. */
  private readonly known: Map<ArtifactName, JsonObject>;

  constructor(
    private readonly claimed: ClaimedWork,
    private readonly startedAt: number,
  ) {
    this.lease = claimed.lease;
    const read = Object.entries({ ...claimed.units[0]?.artifacts, ...claimed.artifacts });
    this.known = new Map(read as [ArtifactName, JsonObject][]);
  }

  /** May another stage of this lease begin? A step that crashed or failed before is tried alone, so that it is known which one it is. */
  mayContinue(now: number): boolean {
    const { lane, crashes, failures } = this.claimed;
    return crashes === 0 && failures === 0 && (lane === 'live' || now - this.startedAt <= BULK_MS);
  }

  /** Keeps a stage that ended, to be written with the next effect. */
  note(ended: Ended): void {
    this.unwritten.push(ended);
  }

  /** The input of the next stage from memory; null: the stage has to be claimed. */
  inputOf(stage: Stage, work: ClaimedWork, move: Move): ClaimedWork | null {
    return nextInput(stage, work, move, this.known);
  }

  /** The commit of the stages that ended before, and of the last one. */
  commitOf(last: Ended, now: number, before = this.unwritten): CommitRequest {
    const { endedAt: _, ...ending } = last;
    const earlier = before.map(({ results: _results, endedAt, ...stage }): EndedStage => ({
      ...stage,
      agoMs: Math.max(0, now - endedAt),
    }));
    const results = [...before.flatMap((stage) => stage.results), ...ending.results];
    return { ...ending, lease: this.lease, earlier, results };
  }

  /** The commit of what has ended, without the stage that runs; null: the record has it all. */
  commitSoFar(now: number): CommitRequest | null {
    const last = this.unwritten.at(-1);
    return last === undefined ? null : this.commitOf(last, now, this.unwritten.slice(0, -1));
  }

  /** The record has everything; `lease` is the one that it has now. */
  written(lease: Lease = this.lease): void {
    this.unwritten = [];
    this.lease = lease;
  }
}

/** Runs things later in the context of its caller. Node's own snapshot costs several times as much before version 22. */
export function contextHere(): <T>(run: () => T) => T {
  const resource = new AsyncResource('CasefileStage');
  return (run) => resource.runInAsyncScope(run);
}

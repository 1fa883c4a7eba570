import { AsyncResource } from 'node:async_hooks';
import {
  moves,
  nothingBefore,
  stored,
  type ArtifactName,
  type ClaimedWork,
  type CommitRequest,
  type EndedStage,
  type JsonObject,
  type Lane,
  type Lease,
  type Move,
} from '@casefile/contracts';
import type { Stage } from '@casefile/pipeline';

/** A stage that has ended and is not on the record yet. */
export type Unwritten = Omit<EndedStage, 'agoMs'> & Pick<CommitRequest, 'results'> & { endedAt: number };

/** How the last of them ends. */
type Ending = Omit<CommitRequest, 'lease' | 'earlier'>;

/** Bulk work is handed back after so long, in milliseconds: whoever waits live comes first. R16. */
const BULK_MS = 200;

/**
 * What one worker does under one lease: the stages that ended and wait to be written with the next effect, and what they
 * appended, so that the next stage's input needs no reading.
 */
export class RunAhead {
  /** As it is on the record. */
  lease: Lease;
  private unwritten: Unwritten[] = [];
  private readonly mayGoOn: boolean;
  /** Artifacts of the run that this worker has read or appended, as the record returns them. */
  private readonly known: Map<ArtifactName, JsonObject>;

  constructor(
    { lease, crashes, failures, artifacts, units }: ClaimedWork,
    private readonly startedAt: number,
  ) {
    this.lease = lease;
    const read = Object.entries({ ...units[0]?.artifacts, ...artifacts });
    this.known = new Map(read as [ArtifactName, JsonObject][]);
    // What crashed or failed before is tried alone, so that it is known which stage it is.
    this.mayGoOn = crashes === 0 && failures === 0;
  }

  /** Bulk work has its time; then whoever waits live comes first. */
  hasTimeLeft(lane: Lane, now: number): boolean {
    return lane === 'live' || now - this.startedAt <= BULK_MS;
  }

  /** Keeps what a stage came to, to be written with the next effect. */
  note(ended: Unwritten): void {
    this.unwritten.push(ended);
  }

  /**
   * The input of the stage that comes next, from memory; null: it has to be claimed. So it has where units were opened, where
   * a round begins, and where it reads what this process has not seen.
   */
  workOf(stage: Stage, work: ClaimedWork, move: Move): ClaimedWork | null {
    const { artifact } = move;
    const next = moves.nextOf(move);
    if (!this.mayGoOn || artifact === undefined) return null;
    if (next?.stage !== stage.name || next.round !== work.lease.round) return null;
    if (stage.readsAlert && work.alert === null) return null;
    if (stage.readsPrevious.length > 0 && next.round > 1) return null;
    const isWhole = work.lease.unit === '' && work.units.every(({ unit }) => unit === '');
    if (stage.joins && !isWhole) return null;
    // As it will be read back, so that after a crash the stage finds the same.
    this.known.set(artifact.name, stored(artifact.body));
    const read = stage.reads.map((name) => [name, this.known.get(name)] as const);
    if (read.some(([, body]) => body === undefined)) return null;
    const artifacts = Object.fromEntries(read);
    return {
      ...work,
      lease: { ...work.lease, stage: stage.name },
      ...nothingBefore(),
      artifacts,
      units: stage.joins ? [{ unit: '', artifacts }] : [],
    };
  }

  /** The commit of everything up to the stage that ends now. */
  commitOf(now: number, ending: Ending): CommitRequest {
    return this.commit(this.unwritten, now, ending);
  }

  /** The commit of what has ended, without the stage that is under way; null: the record has it all. */
  commitSoFar(now: number, claimForMs?: number): CommitRequest | null {
    const last = this.unwritten.at(-1);
    if (last === undefined) return null;
    const { endedAt: _, ...ending } = last;
    const claim = claimForMs === undefined ? {} : { claimForMs };
    return this.commit(this.unwritten.slice(0, -1), now, { ...ending, ...claim });
  }

  private commit(before: Unwritten[], now: number, ending: Ending): CommitRequest {
    const earlier = before.map(({ results: _, endedAt, ...stage }): EndedStage => ({
      ...stage,
      agoMs: Math.max(0, now - endedAt),
    }));
    const results = [...before.flatMap((stage) => stage.results), ...ending.results];
    return { ...ending, lease: this.lease, earlier, results };
  }

  /** The record has everything; `lease` is what it says now. */
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

import { createHash } from 'node:crypto';
import {
  canonicalJson,
  done,
  later,
  type ArtifactName,
  type ArtifactOf,
  type Brief,
  type Evidence,
  type Outcome,
  type Verdict,
} from '@casefile/contracts';
import type { FlowPorts } from './stage.js';

/** Between two looks at an answer that another run is about to make, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/**
 * What collect comes to: its own evidence, that of the run whose answer is taken over, or a wait for the run that is at it.
 * The wait holds no slot, and ends where the run has to end.
 */
export async function sharedEvidence(
  own: Evidence,
  brief: Brief,
  { playbook, run, answers, clock }: FlowPorts,
): Promise<Outcome<Evidence>> {
  const { settings } = run;
  const same = run.unit === '' ? (playbook.sameAnswer?.({ brief, evidence: own, settings }) ?? null) : null;
  if (same === null) return done(own);
  const { playbook: name, playbookVersion: version } = settings;
  const key = createHash('sha256')
    .update(canonicalJson([name, version, same.key]))
    .digest('hex');
  const taken = await answers.take(key, same.forMs);
  if (taken.kind === 'make') return done(own);
  if (taken.kind === 'reuse') {
    const evidence = await answers.artifact(taken.of.runId, 'evidence');
    return done({ ...evidence, reused: taken.of });
  }
  const until = playbook.endsBy?.(brief, settings) ?? null;
  if (until !== null && clock.now() >= until) return done(own);
  return later(LOOK_EVERY_MS, 'answer_under_way');
}

/** What the run whose answer is taken over appended; null: the answer is this run's own to make. */
export async function takenOver<N extends ArtifactName>(
  { reused }: Evidence,
  name: N,
  { answers }: Pick<FlowPorts, 'answers'>,
): Promise<ArtifactOf<N> | null> {
  return reused === undefined ? null : answers.artifact(reused.runId, name);
}

/** A verdict with the case that its answer is of among its reasons. */
export function withOrigin(verdict: Verdict, { reused }: Evidence): Verdict {
  if (reused === undefined) return verdict;
  const { caseId, decidedAt, expiresAt } = reused;
  const told = `The same was asked before: this is the answer of case ${caseId}, of ${decidedAt}, taken over until ${expiresAt}.`;
  return { ...verdict, reasons: [told, ...verdict.reasons] };
}

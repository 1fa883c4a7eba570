import { createHash } from 'node:crypto';
import {
  canonicalJson,
  done,
  later,
  type ArtifactName,
  type ArtifactOf,
  type Brief,
  type Evidence,
  type Json,
  type RunSettings,
} from '@casefile/contracts';
import type { DecisionRule, Playbook } from '../playbook.js';
import type { Collect, Critique, Write } from '../stage-parts.js';
import type { StagePorts } from '../stage-ports.js';
import type { Strategy } from '../strategy.js';

/** Conditions for reusing an answer. */
export interface SameAnswer {
  /** Everything that the answer depends on, in addition to name and version of the playbook. */
  key: Json;
  /** Time during which other runs reuse the answer, in milliseconds. */
  forMs: number;
  /**
   * Time at which this run stops waiting for the answer of another run, in milliseconds since the epoch.
   * null: never.
   */
  waitsUntil: number | null;
}

/** Returns null if the answer is made only for this run. */
export type AnswerKey = (input: {
  brief: Brief;
  evidence: Evidence;
  settings: RunSettings;
}) => SameAnswer | null;

/** Interval between checks for an answer that another run is making, in milliseconds. */
const CHECK_EVERY_MS = 1_000;

/**
 * Wraps a playbook so that its live runs reuse answers. Among runs of one unit with the same key, one run
 * makes the answer and the others append its artifacts.
 */
export function reusing(sameAnswer: AnswerKey, playbook: Playbook): Playbook {
  const { collect, strategies, critique, write, decision } = playbook;
  return {
    ...playbook,
    collect: reusingEvidence(sameAnswer, collect),
    strategies: Object.fromEntries(
      Object.entries(strategies).map(([name, strategy]) => [name, reusingDraft(strategy)]),
    ),
    critique: reusingReview(critique),
    write: reusingReport(write),
    decision: namingOrigin(decision),
  };
}

function reusingEvidence(sameAnswer: AnswerKey, collect: Collect): Collect {
  return async (input, ports) => {
    const outcome = await collect(input, ports);
    const { run, answers, clock } = ports;
    if (outcome.kind !== 'done' || input.previous.evidence !== undefined || run.unit !== '') return outcome;
    const evidence = outcome.artifact;
    const { settings } = run;
    const same = sameAnswer({ brief: input.brief, evidence, settings });
    if (same === null) return outcome;
    const reuse = await answers.take(runSettingKey(settings, same), same.forMs);
    if (reuse.kind === 'make') return outcome;
    if (reuse.kind === 'reuse') {
      const reused = await answers.artifact(reuse.of.runId, 'evidence');
      return done({ ...reused, reused: reuse.of });
    }
    if (same.waitsUntil !== null && clock.now() >= same.waitsUntil) return outcome;
    return later(CHECK_EVERY_MS, 'answer_under_way');
  };
}

function runSettingKey({ playbook, playbookVersion }: RunSettings, { key }: SameAnswer): string {
  return createHash('sha256')
    .update(canonicalJson([playbook, playbookVersion, key]))
    .digest('hex');
}

function reusingDraft(strategy: Strategy): Strategy {
  return {
    ...strategy,
    reason: async (input, ports) => {
      const draft = await reusedArtifact(input.evidence, 'draft', ports);
      return draft === null ? strategy.reason(input, ports) : done(draft);
    },
  };
}

function reusingReview(critique: Critique): Critique {
  return async (input, ports) => {
    const review = await reusedArtifact(input.evidence, 'review', ports);
    return review === null ? critique(input, ports) : done(review);
  };
}

function reusingReport(write: Write): Write {
  return async (units, ports) =>
    (await reusedArtifact(units[0].evidence, 'report', ports)) ?? write(units, ports);
}

/** Returns the artifact of the run whose answer is reused, or null if this run makes its own answer. */
async function reusedArtifact<N extends ArtifactName>(
  { reused }: Evidence,
  name: N,
  { answers }: Pick<StagePorts, 'answers'>,
): Promise<ArtifactOf<N> | null> {
  return reused === undefined ? null : answers.artifact(reused.runId, name);
}

// The first reason of a verdict names the case of the reused answer.
function namingOrigin(rule: DecisionRule): DecisionRule {
  return {
    ...rule,
    decide: (units, ...rest) => {
      const verdict = rule.decide(units, ...rest);
      const reused = units[0]?.evidence.reused;
      if (reused === undefined) return verdict;
      const { caseId, decidedAt, expiresAt } = reused;
      const origin = `The same was asked before: this is the answer of case ${caseId}, of ${decidedAt}, taken over until ${expiresAt}.`;
      return { ...verdict, reasons: [origin, ...verdict.reasons] };
    },
  };
}

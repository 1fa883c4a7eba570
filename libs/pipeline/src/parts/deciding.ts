import {
  CasefileError,
  degradationOf,
  degradedCauseOf,
  lookUpsOf,
  type DegradedCause,
  type JsonObject,
  type LookUpCounts,
  type RunSettings,
  type Verdict,
  type WordedCause,
} from '@casefile/contracts';
import { MADE_BY_RULE, type DecisionRule } from '../playbook.js';
import type { UnitResult } from '../stage-parts.js';

/** Results of the units of a run. */
export type DecidedUnits = readonly [UnitResult, ...UnitResult[]];

/** What a rule knows when it decides. */
export interface DecisionFacts extends Pick<Verdict, 'degraded' | 'degradedNote'> {
  /** The first unit. Most kinds have one. */
  unit: UnitResult;
  units: DecidedUnits;
  settings: RunSettings;
  decidedAt: string;
  /** Identifies what the verdict opens. */
  runId: string | undefined;
  /** Identifies the verdict for its sender. */
  caseId: string | undefined;
}

/** What a rule decides. */
export interface Decision extends Pick<Verdict, 'disposition' | 'reasons'> {
  outcome: JsonObject;
  /** Result that gives confidence, its source and the method, unless the decision states them. Default: the first. */
  by?: Pick<UnitResult['draft'], 'confidence' | 'confidenceSource' | 'method'>;
  /** From 0 to 1. Default: the confidence of the draft. */
  confidence?: number;
  /** Ids of evidence. Default: the items of the first draft that are evidence of the run. */
  citations?: string[];
  /** Dismisses although the verdict is degraded, for a reason that what is missing cannot change. Default: false. */
  isSettled?: boolean;
}

/** Why a verdict is degraded, and the counts of look-ups for its words. */
export interface Missing {
  causes: readonly (DegradedCause | WordedCause | null)[];
  lookUps?: LookUpCounts;
}

/** A decision rule as written. */
interface RuleSpec {
  /** Part of the settings of each run. */
  name: string;
  /** Returns what was missing. Default: `missingParts`, the failed models and look-ups of all units. */
  missing?(units: DecidedUnits, settings: RunSettings): Missing;
  decide(facts: DecisionFacts): Decision;
}

/** Returns the causes that every kind has: a model that gave no answer, and failed look-ups. */
export function missingParts(units: DecidedUnits): Missing {
  const lookUps = lookUpsOf(units.flatMap(({ evidence }) => evidence.items));
  return {
    causes: [
      ...units.map(({ draft }) => failedModel(draft)),
      lookUps.failed > 0 ? ('lookups_failed' as const) : null,
    ],
    lookUps,
  };
}

/** Returns why the configured model gave no answer; null: it gave one, or no model is configured. */
export function failedModel({ fallbackReason }: UnitResult['draft']): DegradedCause | null {
  return fallbackReason === undefined ? null : degradedCauseOf(fallbackReason);
}

/**
 * Creates the rule that makes the verdict of a kind. It adds what every verdict needs: whether parts were missing,
 * the method, the citations and the time. It dismisses no degraded case, unless the decision is settled.
 */
export function decisionRule({ name, missing = missingParts, decide }: RuleSpec): DecisionRule {
  return {
    [MADE_BY_RULE]: true,
    name,
    decide(units, settings, decidedAt, runId, caseId) {
      const [unit, ...others] = units;
      if (unit === undefined)
        throw new CasefileError('no_units', 'there is nothing to decide on: the run has no unit');
      const all: DecidedUnits = [unit, ...others];
      const { causes, lookUps } = missing(all, settings);
      const degradation = degradationOf(causes, lookUps);
      const { degraded, degradedNote } = degradation;
      const facts = { unit, units: all, settings, decidedAt, runId, caseId, degraded, degradedNote };
      const decision = decide(facts);
      const { outcome, by = unit.draft, confidence = by.confidence, isSettled = false } = decision;
      const isKept = degraded && decision.disposition === 'dismiss' && !isSettled;
      return {
        outcome,
        disposition: isKept ? 'review' : decision.disposition,
        confidence,
        confidenceSource: by.confidenceSource,
        method: by.method,
        reasons: isKept ? [...decision.reasons, keptSentence(degradedNote)] : decision.reasons,
        citations: decision.citations ?? citedEvidence(unit),
        ...degradation,
        decidedAt,
      };
    },
  };
}

/** Returns why a case is not dismissed when something was missing. */
export function keptSentence(degradedNote: string): string {
  return `The case is not dismissed, because something was missing: ${degradedNote}.`;
}

function citedEvidence({ draft, evidence }: UnitResult): string[] {
  const known = new Set(evidence.items.map(({ id }) => id));
  return draft.evidenceUsed.filter((id) => known.has(id));
}

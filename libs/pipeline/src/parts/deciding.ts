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
export interface DecisionFacts<J = undefined> extends Pick<Verdict, 'degraded' | 'degradedNote'> {
  /** The first unit. Most kinds have one. */
  unit: UnitResult;
  units: DecidedUnits;
  /** What `judge` of the rule returned. */
  judged: J;
  settings: RunSettings;
  /** Identifies what the verdict opens. */
  runId: string | undefined;
  /** Identifies the verdict for its sender. */
  caseId: string | undefined;
}

/** Parts of a verdict that come from the unit which decided, unless the decision states them. */
type PartOfUnit = 'confidence' | 'confidenceSource' | 'method' | 'citations';

/** What a rule decides. */
export interface Decision
  extends Pick<Verdict, 'disposition' | 'reasons'>, Partial<Pick<Verdict, PartOfUnit>> {
  outcome: JsonObject;
  /** The unit whose result decided. Default: the first. */
  unit?: UnitResult;
  /** Dismisses although the verdict is degraded, for a reason that what is missing cannot change. Default: false. */
  isSettled?: boolean;
}

/** Why a verdict is degraded, and the counts of look-ups for its words. */
export interface Missing {
  causes: readonly (DegradedCause | WordedCause | null)[];
  lookUps?: LookUpCounts;
}

/** A decision rule as written. */
interface RuleSpec<J> {
  /** Part of the settings of each run. */
  name: string;
  /** Reads the results once, for `missing` and `decide`. Default: nothing. */
  judge?(units: DecidedUnits, settings: RunSettings): J;
  /** Returns what was missing. Default: `missingParts`, the failed models and look-ups of all units. */
  missing?(units: DecidedUnits, judged: J): Missing;
  decide(facts: DecisionFacts<J>): Decision;
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
export function decisionRule<J = undefined>({
  name,
  judge,
  missing = missingParts,
  decide,
}: RuleSpec<J>): DecisionRule {
  return {
    [MADE_BY_RULE]: true,
    name,
    decide(units, settings, decidedAt, runId, caseId) {
      const [first, ...others] = units;
      if (first === undefined)
        throw new CasefileError('no_units', 'there is nothing to decide on: the run has no unit');
      const all: DecidedUnits = [first, ...others];
      const judged = judge?.(all, settings) as J;
      const { causes, lookUps } = missing(all, judged);
      const degradation = degradationOf(causes, lookUps);
      const { degraded, degradedNote } = degradation;
      const facts = { unit: first, units: all, judged, settings, runId, caseId, degraded, degradedNote };
      const { unit = first, isSettled = false, ...decision } = decide(facts);
      const { confidence, confidenceSource, method } = unit.draft;
      const isKept = degraded && decision.disposition === 'dismiss' && !isSettled;
      const kept = `The case is not dismissed, because something was missing: ${degradedNote}.`;
      return {
        confidence,
        confidenceSource,
        method,
        citations: citedEvidence(unit),
        ...decision,
        ...(isKept && { disposition: 'review', reasons: [...decision.reasons, kept] }),
        ...degradation,
        decidedAt,
      };
    },
  };
}

function citedEvidence({ draft, evidence }: UnitResult): string[] {
  const known = new Set(evidence.items.map(({ id }) => id));
  return draft.evidenceUsed.filter((id) => known.has(id));
}

import {
  reasonInWords,
  reasonOf,
  type Draft,
  type IncidentAction,
  type IncidentResult,
  type JsonObject,
  type Review,
  type RunSettings,
} from '@casefile/contracts';
import { decisionRule, failedModel, type Missing } from '@casefile/pipeline/parts/deciding';
import { claimRows, uncheckedReason } from '@casefile/pipeline/claims/show-claims';
import { isUnanswered, NOT_CROSS_EXAMINED } from '@casefile/pipeline/parts/cross-examining';
import type { UnitResult, WriteInput } from '@casefile/pipeline/stage-parts';
import type { Incident } from './alert.js';
import { separationOf } from './causes/rival-causes.js';
import { confirmedResult, contradictedAlarm, unconfirmedReasons } from './confirmed.js';
import { doubtsAbout } from './false-alarm.js';
import { harmOf, type Harm } from './harm.js';
import { measuredSentence } from './measured.js';
import { options, type IncidentOptions } from './options.js';
import { isKnownImpact, provenResult, reportedIn } from './proven.js';
import { citationsIn, readsOf, resultIn } from './read-result.js';
import { incidentIn } from './runbook.js';
import { DISPOSITION, type IncidentDecision, decideIncident } from './action.js';

/** Decision on a unit, with the values that led to it. */
export type IncidentConclusion = IncidentDecision & {
  /** Reason of the step that decided, without the impact. `because` may begin with the impact. */
  ownReason: string;
  /** The result without the claims that its cross-examination removed. */
  result: IncidentResult;
  confidence: number;
  /** Further doubts about a false alarm, in addition to `because`. */
  doubts: string[];
  /** Whether the sender reports the alert as resolved. */
  resolved: boolean;
};

/** Decides on the claims that the cross-examination did not remove. */
export function conclusionOf(
  { draft, brief, evidence, review }: Omit<WriteInput, 'unit'>,
  settings: Pick<RunSettings, 'options' | 'isEscalation'>,
): IncidentConclusion {
  const claimed = resultIn(draft);
  const incident = asJudged(incidentIn(brief), settings);
  const limits = options.read(settings.options);
  const resolved = incident.resolved || claimed.resolvedAt !== null;
  const reads = readsOf(evidence, draft);
  const isOfRules = draft.method === 'heuristic';
  const { causes } = isOfRules ? { causes: [] } : separationOf(claimed, reads, incident);
  const { result: confirmed, unconfirmed } = confirmedResult(claimed, review, causes);
  const result = provenResult(
    { ...confirmed, causes },
    {
      incident,
      alert: brief.text,
      evidence,
      reads,
      resolved,
      claimed: claimed.hypotheses,
      unconfirmed,
      byRules: isOfRules,
    },
  );
  const harm = harmOf({ incident, resolved, reads });
  const doubts = doubtsAbout({ incident, result, reads, review, options: limits });
  const confidence = confidenceIn(draft, claimed, { result, harm }, limits);
  const circumstances = { incident, resolved, options: limits, doubts, isHarmProven: harm.isProven };
  const made = decideIncident(result, { confidence, method: draft.method }, circumstances);
  return {
    ...made,
    because: withImpact(made, result, incident),
    ownReason: made.because,
    result,
    confidence,
    doubts: made.by === 'false-alarm' ? doubts.slice(1) : [],
    resolved,
  };
}

// An acknowledgement may also report a higher severity.
function asJudged(incident: Incident, { isEscalation }: Pick<RunSettings, 'isEscalation'>): Incident {
  return isEscalation === true && incident.state === 'remark' ? { ...incident, state: 'firing' } : incident;
}

/** Steps whose reason does not state what is broken. The impact is put before their reason. */
const SAYS_NO_IMPACT: readonly IncidentDecision['by'][] = [
  'needed-look-up',
  'severity',
  'harm',
  'words',
  'neither',
];

function withImpact(
  { by, because }: IncidentDecision,
  { impact }: IncidentResult,
  incident: Incident,
): string {
  if (!SAYS_NO_IMPACT.includes(by)) return because;
  const what = isKnownImpact(impact) ? impact.what : reportedIn(incident);
  return `${/[.!?]$/.test(what) ? what : `${what}.`} ${because}`;
}

/** Highest confidence of a model's answer after all its claims were removed. */
const NOTHING_STANDS = 0.3;

/**
 * Returns the confidence in the remaining claims. Without a confirmed cause it is that of the harm. Limits: the share of citations that remain, and
 * `oneLookUpConfidence` if the first cause rests on one look-up, or if it and a rival of it are open.
 */
function confidenceIn(
  { confidence, method }: Draft,
  claimed: IncidentResult,
  { result, harm }: { result: IncidentResult; harm: Harm },
  { oneLookUpConfidence }: IncidentOptions,
): number {
  if (method === 'heuristic') return confidence;
  const before = citationsIn(claimed).length;
  const share = before === 0 ? 1 : citationsIn(result).length / before;
  const limited = Math.min(confidence, share);
  const [first] = result.hypotheses;
  if (first === undefined) {
    if (result.falseAlarm !== null) return limited;
    return harm.isProven ? harm.confidence : Math.min(limited, NOTHING_STANDS);
  }
  const restsOnOne = new Set(first.citations.map(({ id }) => id)).size === 1;
  return restsOnOne || isOpen(first.cause, result) ? Math.min(limited, oneLookUpConfidence) : limited;
}

/** Returns whether a cause is not confirmed and a rival of it is not refuted. */
function isOpen(cause: string, { causes = [] }: IncidentResult): boolean {
  const open = causes.filter(({ standing }) => standing === 'open').map((one) => one.cause);
  return open.includes(cause) && open.length > 1;
}

/** Makes the verdict from the results. */
export const pageTicketOrNothing = decisionRule({
  name: 'page-ticket-or-nothing',
  judge: ([unit], settings) => conclusionOf(unit, settings),
  missing: ([unit], { result }) => missingIn(unit, result),
  decide({ unit: { draft, review }, judged: { because, result, confidence, doubts, ...made } }) {
    const { action } = made;
    const measured = result.measured?.citations ?? [];
    const cited = new Set([...citationsIn(result), ...measured].map(({ id }) => id));
    return {
      outcome: outcomeOf(result, action, review),
      disposition: DISPOSITION[action],
      // Resolved by its sender, a test, or always firing: no look-up that failed can change it.
      isSettled: action === 'no-action' && made.proof !== 'look-up',
      confidence,
      reasons: [
        because,
        ...measuredSentence(result),
        ...doubts,
        ...notExamined(review),
        ...(result.falseAlarm === null ? contradictedAlarm(review.claims) : []),
        ...reasonsOf(result, draft),
        ...uncheckedReason(review.claims ?? []),
      ],
      citations: draft.evidenceUsed.filter((id) => cited.has(id)),
    };
  },
});

/** Returns the finding that the examining model gave no answer. Empty: it answered. */
function notExamined(review: Review): string[] {
  return isUnanswered(review)
    ? review.findings.filter(({ code }) => code === NOT_CROSS_EXAMINED).map(({ message }) => message)
    : [];
}

function outcomeOf(
  result: IncidentResult,
  action: IncidentAction,
  { crossExamination, claims = [] }: Review,
): JsonObject {
  const { name, severity, summary, hypotheses, ruledOut, steps, impact, gaps, runbook } = result;
  const { unproven, timeline, causes = [] } = result;
  return {
    action,
    name,
    severity,
    summary,
    hypotheses,
    ruledOut,
    actions: steps,
    impact,
    gaps,
    runbook,
    ...(unproven === undefined ? {} : { unproven }),
    ...(timeline === undefined ? {} : { timeline }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(crossExamination === undefined ? {} : { crossExamination }),
    ...(claims.length === 0 ? {} : { claims: claimRows(claims) }),
  } as unknown as JsonObject;
}

function reasonsOf({ hypotheses, dropped, gaps, endedBy, unproven }: IncidentResult, draft: Draft): string[] {
  return [
    ...hypotheses
      .slice(0, 3)
      .map(
        ({ cause, probability, citations }) =>
          `${Math.round(probability * 100)} %: ${cause} [${citations.map(({ id }) => id).join(', ')}]`,
      ),
    ...(hypotheses.length === 0 && draft.method !== 'heuristic' ? [unconfirmedReasons(unproven)] : []),
    ...(dropped.length > 0
      ? [`Left out, for nothing that was read bears it out: ${dropped.join('; ')}`]
      : []),
    ...gaps,
    ...(endedBy === null ? [] : [`The look-ups ended early: ${reasonInWords(endedBy)}.`]),
  ];
}

function missingIn({ draft }: UnitResult, { gaps, lookUps, endedBy }: IncidentResult): Missing {
  const failed = lookUps.filter(({ gap }) => gap !== null).length;
  return {
    causes: [
      failedModel(draft),
      endedBy === null ? null : (reasonOf(endedBy).degradedBy ?? null),
      gaps.length > 0 && failed > 0 ? 'lookups_failed' : null,
    ],
    lookUps: { tried: lookUps.length, failed },
  };
}

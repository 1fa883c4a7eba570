import {
  CasefileError,
  IMAGE_UNREADABLE,
  degradationOf,
  degradedCauseOf,
  whyNoAnswer,
  gapsOf,
  lookUpsOf,
  z,
  type Verdict,
  type Brief,
  type Evidence,
  type EvidenceItem,
} from '@casefile/contracts';
import { getDomain } from 'tldts';
import type { DecisionRule } from '../../playbook.js';
import type { UnitResult } from '../../stage-parts.js';
import { hasNoText, unreadOf } from '../../text-or-image.js';
import { inLine } from '../../plain-text.js';
import { signInWords, TEXT_SIGNALS } from '../../text-signals/signals-found.js';
import { options, type ScamVerdictOptions } from './options.js';
import { readingOf } from './tool-readings.js';
import { withUnconfirmed } from './unconfirmed.js';

const LEVELS = ['low', 'medium', 'high'] as const;
const DISPOSITION = { high: 'act', medium: 'review', low: 'dismiss' } as const;
/** Read loosely from the draft: other keys of the answer are no part of the outcome. */
const answerSchema = z.object({
  riskLevel: z.enum(LEVELS),
  confidence: z.number().min(0).max(100),
  score: z.number().optional(),
});
/** Defaults that were set in for something the answer lacked. */
const DEFAULTS = new Set(['confidence_missing']);

/**
 * high -> act, medium -> review, low -> dismiss; a warning of the review -> review. S1-26, S1-27.
 *
 * A low risk is dismissed only when somebody has looked: a model that was kept from nothing, with no look-up failed;
 * or, where no model is configured, the rules, when the text itself shows nothing and each thing it names was cleared by
 * a source that can. After a failure of the model it is never dismissed. S1-17.
 */
export const riskLevel: DecisionRule = {
  name: 'risk-level',
  decide(units, settings, decidedAt) {
    const figures = options.read(settings.options);
    const unit = riskiest(units);
    const { draft, evidence } = unit;
    const answer = answerOf(unit);
    const known = new Set(evidence.items.map((item) => item.id));
    const degradation = degradationOf(causesOf(unit), lookUpsOf(evidence.items));
    const against = answer.riskLevel === 'low' ? againstLow(unit, degradation, figures) : [];
    const disposition =
      unit.review.ruling !== 'PASS' || against.length > 0 ? 'review' : DISPOSITION[answer.riskLevel];
    return {
      outcome: withUnconfirmed(outcomeOf(unit, answer), evidence.items, disposition),
      disposition,
      confidence: draft.confidence,
      confidenceSource: draft.confidenceSource,
      method: draft.method,
      reasons: [...against, ...reasonsOf(unit, answer, against.length > 0)],
      citations: draft.evidenceUsed.filter((id) => known.has(id)),
      ...degradation,
      decidedAt,
    };
  },
};

type Answer = z.infer<typeof answerSchema>;

function riskiest(units: UnitResult[]): UnitResult {
  const rank = (unit: UnitResult) => LEVELS.indexOf(answerOf(unit).riskLevel);
  const [first] = [...units].sort((a, b) => rank(b) - rank(a));
  if (first === undefined)
    throw new CasefileError('no_units', 'there is nothing to decide on: the run has no unit');
  return first;
}

function answerOf({ draft }: UnitResult): Answer {
  const parsed = answerSchema.safeParse(draft.answer);
  if (parsed.success) return parsed.data;
  throw new CasefileError(
    'bad_draft',
    `the policy risk-level cannot read the answer of ${draft.strategy}: ${parsed.error.message}`,
  );
}

function outcomeOf({ draft }: UnitResult, answer: Answer) {
  return {
    riskLevel: answer.riskLevel,
    confidence: answer.confidence,
    explanation: draft.explanation,
    evidenceUsed: draft.evidenceUsed,
    reasoningMethod: draft.method,
    ...(answer.score === undefined ? {} : { score: answer.score }),
  };
}

/** Why a low risk is left to a person; none: it is dismissed. */
function againstLow(
  { brief, draft, evidence }: UnitResult,
  { degraded, degradedNote }: Pick<Verdict, 'degraded' | 'degradedNote'>,
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): string[] {
  const missing = `A low risk is not dismissed when something was missing: ${degradedNote}.`;
  const found = draft.method === 'heuristic' ? againstDismissal(brief, evidence, options) : [];
  return degraded ? [missing, ...found] : found;
}

/** S1-17: what kept the verdict from coming about as it was meant to. */
function causesOf(unit: UnitResult) {
  const { draft, evidence } = unit;
  return [
    draft.fallbackReason === undefined ? null : degradedCauseOf(draft.fallbackReason),
    lookUpsOf(evidence.items).failed > 0 ? ('lookups_failed' as const) : null,
    draft.remarks.some((remark) => DEFAULTS.has(remark)) ? ('answer_incomplete' as const) : null,
    hasNoText(unit) ? ('no_text' as const) : null,
    unreadOf(unit).length > 0 ? IMAGE_UNREADABLE : null,
  ];
}

/** @param isOpen a low risk that is left to a person. */
function reasonsOf(unit: UnitResult, answer: Answer, isOpen: boolean): string[] {
  const { draft, evidence, review } = unit;
  const gaps = gapsOf(evidence).length;
  return [
    levelSentence(answer, draft.method, isOpen),
    ...(draft.fallbackReason === undefined ? [] : [fallbackSentence(draft.fallbackReason)]),
    ...(hasNoText(unit) ? ['No text could be read, so none was judged.'] : []),
    ...unreadOf(unit),
    ...(gaps === 0 ? [] : [`${gaps} of ${evidence.items.length} questions to the tools have no answer.`]),
    ...draft.remarks.map((remark) => REMARKS[remark] ?? `Remark on the answer: ${remark}.`),
    ...review.findings.map((finding) => finding.message),
  ];
}

// What was not proved has no confidence worth a word: the score counts look-ups, not what the text says.
function levelSentence(
  { riskLevel: level, confidence, score }: Answer,
  method: UnitResult['draft']['method'],
  isOpen: boolean,
): string {
  if (isOpen && method === 'heuristic' && score !== undefined)
    return `Risk level ${level} by the score of the look-ups, ${score} of 100, which does not count what the text says.`;
  return `Risk level ${level} with confidence ${confidence} of 100, by ${BY[method]}.`;
}

const BY: Record<UnitResult['draft']['method'], string> = {
  llm: 'a language model',
  heuristic: 'the heuristic',
  demonstration: 'a hand-written answer',
};

const REMARKS: Record<string, string> = {
  confidence_clamped: 'The confidence of the answer was outside 0 to 100 and was set to the nearest bound.',
  confidence_missing: 'The answer had no confidence: 50 was taken.',
  evidence_used_missing: 'The answer did not say which evidence it rests on.',
};

function fallbackSentence(reason: string): string {
  const why = whyNoAnswer(reason);
  return `${why[0]?.toUpperCase()}${why.slice(1)}: the heuristic decided.`;
}

/** What a sentence names of many. */
const NAMED = 5;

/**
 * Likeness to the words of scams from which a text without a sign is left to a person: of one that says what scams leave out
 * from a higher one on, for the words of true notices are those of the scams that copy them. By cross-validation (decision 0028).
 */
const LIKE_SCAMS_FROM = { other: 0.8, notice: 0.88 } as const;
const LIKENESS_FROM = { other: 0.75, notice: 0.92 } as const;

/** Read loosely: another release may have written it. */
const signalsSchema = z.object({
  signals: z.array(z.object({ kind: z.string() })),
  isRead: z.boolean().default(true),
  legitimacy: z.array(z.unknown()).default([]),
  nearestPatterns: z.array(z.object({ level: z.string() })).default([]),
  message_model: z.object({ score: z.number() }).nullable().default(null),
  /** Of a release before the message model; its bounds stay those of that release. */
  likeness: z.number().nullable().default(null),
});
type Signals = z.infer<typeof signalsSchema>;

/**
 * Why a low risk that the rules found, with no model to ask, is not dismissed: the text itself was not looked at or shows
 * signs of a scam, or it names something that no source has cleared. S1-17 (b).
 * @returns sentences; none when it may be dismissed.
 */
export function againstDismissal(
  { entities }: Pick<Brief, 'entities'>,
  { items }: Evidence,
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): string[] {
  // What the sender of an alert handed in speaks against it as any evidence does, but lets nothing go.
  const ours = items.filter((item) => item.given !== true);
  const open = namedIn(entities).filter(
    (named) => !isCleared(named, ours, options) || isReported(named, items),
  );
  return [
    ...textSentence(ours),
    ...(open.length === 0 ? [] : [`No source has cleared what the text names: ${namesOf(open)}.`]),
  ];
}

function textSentence(items: readonly EvidenceItem[]): string[] {
  const looked = items.filter(({ toolName, success }) => toolName === TEXT_SIGNALS && success);
  if (looked.length === 0) return ['The text itself was not looked at for signs of a scam.'];
  const read = looked.map(({ result }) => signalsSchema.safeParse(result));
  if (read.some(({ success }) => !success)) return ['What was found in the text itself cannot be read.'];
  const found = read.flatMap(({ data }) => data?.signals ?? []);
  const kinds = found.map(({ kind }) => signInWords({ kind, words: [] }));
  const isNear = read.some(({ data }) => data !== undefined && isNearAPattern(data));
  return [
    ...(read.some(({ data }) => data?.isRead === false)
      ? ['The text is in a language that the rules do not read.']
      : []),
    ...(kinds.length === 0 ? [] : [`The text itself shows signs of a scam: ${namesOf(kinds)}.`]),
    ...(isNear ? ['The text is close to a known scam pattern.'] : []),
    ...read.flatMap(({ data }) => (data === undefined ? [] : modelSentence(data))),
  ];
}

// True notices of banks, offices and carriers have the words of the scams that copy them: one that says what scams leave out
// (its own channel, a warning, no action needed) and shows no sign of one is near from a high likeness on.
function isNearAPattern(found: Signals): boolean {
  return found.nearestPatterns.some(
    ({ level }) => level === 'HIGH' || (level === 'MEDIUM' && !isNotice(found)),
  );
}

function isNotice({ signals, legitimacy }: Signals): boolean {
  return signals.length === 0 && legitimacy.length > 0;
}

function modelSentence(found: Signals): string[] {
  const bounds = found.message_model === null ? LIKENESS_FROM : LIKE_SCAMS_FROM;
  const score = found.message_model?.score ?? found.likeness;
  if (score === null || score < bounds[isNotice(found) ? 'notice' : 'other']) return [];
  return [`Its words are more like those of known scams than of harmless messages: ${score.toFixed(2)}.`];
}

interface Named {
  /** As it stands in the text. */
  value: string;
  /** What it is looked up by; null: no source can clear it. */
  lookedUp: string | null;
}

/** The links, domains, phone numbers and payment handles of a text; a link is looked up by its domain. */
function namedIn(entities: Brief['entities']): Named[] {
  const of = (type: string) => entities[type] ?? [];
  const links = of('url').map((value) => ({ value, lookedUp: getDomain(value)?.toLowerCase() ?? null }));
  const plain = [...of('domain'), ...of('phone')];
  return [
    ...links,
    ...plain.map((value) => ({ value, lookedUp: value.toLowerCase() })),
    ...[...of('payment'), ...of('crypto')].map((value) => ({ value, lookedUp: null })),
  ];
}

function isCleared(
  { lookedUp }: Named,
  items: readonly EvidenceItem[],
  options: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): boolean {
  if (lookedUp === null) return false;
  return itemsAbout(lookedUp, items).some((item) => clears(item, options));
}

function isReported({ lookedUp }: Named, items: readonly EvidenceItem[]): boolean {
  return lookedUp !== null && itemsAbout(lookedUp, items).some(reports);
}

function itemsAbout(lookedUp: string, items: readonly EvidenceItem[]): EvidenceItem[] {
  return items.filter(({ success, entityValue }) => success && entityValue.toLowerCase() === lookedUp);
}

/** S1-17: allow list, registration age, VirusTotal and the kind of phone number can clear; not found in a list of scams clears nothing. */
function clears(
  item: EvidenceItem,
  { domainClearedFromDays }: Pick<ScamVerdictOptions, 'domainClearedFromDays'>,
): boolean {
  const reading = readingOf(item);
  if (reading.kind === 'phone')
    return !reading.suspicious && reading.numberType !== '' && reading.numberType.toLowerCase() !== 'unknown';
  if (reading.kind !== 'domain' || reading.riskLevel !== 'low') return false;
  const isOld = reading.ageDays !== null && reading.ageDays >= domainClearedFromDays;
  return reading.listed === 'allow' || isOld || reading.malicious === 0;
}

function reports(item: EvidenceItem): boolean {
  const reading = readingOf(item);
  return reading.kind === 'reports' && reading.found && reading.reportCount > 0;
}

function namesOf(values: readonly { value: string }[] | readonly string[]): string {
  const names = values.map((one) => inLine(typeof one === 'string' ? one : one.value, 80));
  const distinct = [...new Set(names)];
  const more = distinct.length > NAMED ? ` and ${distinct.length - NAMED} more` : '';
  return `${distinct.slice(0, NAMED).join(', ')}${more}`;
}

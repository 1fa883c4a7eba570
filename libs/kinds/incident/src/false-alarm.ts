import type { IncidentResult, Review } from '@casefile/contracts';
import { FALSE_ALARM_CLAIM, reasonInWords } from '@casefile/contracts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { inLine } from '@casefile/pipeline/plain-text';
import type { Incident } from './alert.js';
import { showsStateNow, type Read } from './look-ups.js';
import type { IncidentOptions } from './options.js';
import { latestTimeIn } from '@casefile/pipeline/reading/index';

/** Facts that decide whether a model's false alarm may close an alert. */
export interface FalseAlarmFacts {
  incident: Pick<Incident, 'name' | 'labels' | 'startsAt' | 'summary' | 'annotations'>;
  result: Pick<IncidentResult, 'severity'>;
  reads: readonly Read[];
  review: Pick<Review, 'findings' | 'crossExamination' | 'claims'> | null;
  options: Pick<IncidentOptions, 'falseAlarmLookUps'>;
}

/**
 * Returns the reasons why a model's false alarm does not close the alert, one sentence each, the most
 * important first. Empty: it may close the alert. It never closes a critical alert. For a warning, or an
 * alert without a severity, the claim needs the support of a cross-examination, and look-ups of the symptom,
 * one of them after the alert began. For any other alert it needs a look-up from after the alert began.
 */
export function doubtsAbout({ incident, result, reads, review, options }: FalseAlarmFacts): string[] {
  const against = (review?.findings ?? []).filter(isContradiction).map(({ message }) => message);
  if (result.severity === 'critical')
    return [...against, 'The model reports a false alarm, but only a person closes a critical alert.'];
  const ofClaim = doubtOfClaim(review);
  if (result.severity === 'info')
    return [...against, ...ofClaim, ...doubtOfTime(incident, reads.filter(isCurrent))];
  return [...against, ...ofClaim, ...doubtOfExamination(review), ...doubtOfLookUps(incident, reads, options)];
}

function doubtOfExamination(review: FalseAlarmFacts['review']): string[] {
  const examined = review?.crossExamination;
  const isSupported = examined?.claims.some(
    ({ id, answer }) => id === FALSE_ALARM_CLAIM && answer === 'supports',
  );
  if (isSupported === true) return [];
  const why = typeof examined?.failed === 'string' ? `: ${reasonInWords(examined.failed)}` : '';
  return [`The model reports a false alarm, and no cross-examination supports it${why}.`];
}

/** The lines that the claim cites must show a good state after the start, of the subject of the alert. */
function doubtOfClaim(review: FalseAlarmFacts['review']): string[] {
  const claim = review?.claims?.find(({ id }) => id === FALSE_ALARM_CLAIM);
  if (claim === undefined || claim.result === 'holds') return [];
  const part =
    claim.parts.find(({ result }) => result === 'contradicted') ??
    claim.parts.find(({ dimension, result }) => dimension === 'state' && result === 'not_checked') ??
    claim.parts.find(({ result }) => result === 'not_checked');
  if (part === undefined) return [`${CLAIM} nothing that it cites could be checked.`];
  const { dimension, says, source, result } = part;
  const where = source === null ? '' : ` [${source}]`;
  return result === 'contradicted'
    ? [`${CLAIM} what it cites does not show that (${dimension}): “${inLine(says, 200)}”${where}.`]
    : [`${CLAIM} this was not checked (${dimension}): ${inLine(says, 200)}${where}.`];
}

function doubtOfLookUps(
  incident: FalseAlarmFacts['incident'],
  reads: readonly Read[],
  { falseAlarmLookUps: needed }: Pick<IncidentOptions, 'falseAlarmLookUps'>,
): string[] {
  const subjects = subjectsOf(incident);
  const own = reads.filter((read) => isCurrent(read) && isAbout(read, subjects));
  if (own.length < needed)
    return [
      `${CLAIM} ${own.length} of the ${needed} look-ups that it needs ${own.length === 1 ? 'is' : 'are'} of the symptom itself.`,
    ];
  return doubtOfTime(incident, own);
}

const CLAIM = 'The model reports a false alarm, but';
const isCurrent = (read: Read) => read.gap === null && showsStateNow(read);

// Look-ups are made after the alert came in. Only their content can be older than a stated start.
function doubtOfTime({ startsAt }: FalseAlarmFacts['incident'], reads: readonly Read[]): string[] {
  const isProven =
    startsAt === null ? reads.length > 0 : reads.some((read) => isFromAfter(read, Date.parse(startsAt)));
  return isProven ? [] : [`${CLAIM} no look-up of the symptom is from after the alert began.`];
}

/**
 * One minute in milliseconds. Values are printed by the minute, so one in the minute of the start counts as
 * after it.
 */
const MINUTE_MS = 60_000;

function isFromAfter({ text, at }: Read, startsAt: number): boolean {
  const moment = latestTimeIn(text, startsAt) ?? Date.parse(at);
  return moment + MINUTE_MS > startsAt;
}

/** Labels whose values name nothing that could be looked up. */
const NO_SUBJECT =
  /^(?:alertname|severity|priority|level|urgency|team|env|environment|region|cluster|prometheus|monitor|receiver)$/i;
const LEAST_SUBJECT = 3;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._-]{2,80}/gu;
/** Fewest letters of a word that may name something without a digit or sign. */
const LONG_WORD = 6;
const SUBJECTS_READ = 4_000;

/** Returns the subjects of the alert in lower case: values of its labels, and names in its name and text. */
function subjectsOf({ labels, name, summary, annotations }: FalseAlarmFacts['incident']): string[] {
  const values = Object.entries(labels)
    .filter(([label]) => !NO_SUBJECT.test(label))
    .map(([, value]) => value.trim());
  const words = [
    name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 '),
    summary,
    annotations['summary'] ?? '',
    annotations['description'] ?? '',
  ].join('\n');
  const named = (words.slice(0, SUBJECTS_READ).match(WORD) ?? [])
    .map((word) => word.replace(/[._-]$/, ''))
    .filter((word) => word.length >= LONG_WORD || /[\p{N}._-]/u.test(word));
  const subjects = [...values, ...named].map((subject) => subject.toLowerCase());
  return [...new Set(subjects.filter((subject) => subject.length >= LEAST_SUBJECT))];
}

function isAbout({ args, text }: Read, subjects: readonly string[]): boolean {
  if (subjects.length === 0) return true;
  const said = `${JSON.stringify(args)}\n${text}`.toLowerCase();
  return subjects.some((subject) => said.includes(subject));
}

import { lookUpsOf, PAST_CASES_TOOL, type Brief, type Evidence, type RunSettings } from '@casefile/contracts';
import {
  listInWords,
  missingSentence,
  NAMED,
  singleWordsSentence,
  textInSentences,
  weightSentence,
} from '@casefile/pipeline/scam/findings-in-sentences';
import { mailInSentences } from '@casefile/pipeline/scam/mail-findings';
import { evidenceOfText, knownOfText, namesToAct } from '@casefile/pipeline/scam/text-reading';
import { inLine } from '@casefile/pipeline/plain-text';
import { withoutLinks } from '@casefile/pipeline/report-markdown';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { hasNoText, unreadOf } from '@casefile/pipeline/text-or-image';
import { countsAsClose, TEXT_SIGNALS } from '@casefile/pipeline/text-signals/signals-found';
import { ENGAGE_FROM, ENGAGE_WEIGHT, weighText } from '@casefile/pipeline/text-signals/weigh-text';
import {
  areNamesCleared,
  reasonsAgainstDismissal,
  reasonsAgainstUnnamedKind,
  namesWithoutSource,
} from '@casefile/pipeline/scam/against-dismissal';
import { contributionsIn, HIGH_FROM, MEDIUM_FROM } from './heuristic.js';
import { options } from './options.js';

type Input = Pick<ReasonInput, 'brief' | 'evidence'>;

/** Maximum number of evidence ids for findings that are not named. */
const LISTED = 10;

/**
 * Explains an answer of the rules as a person would: the level, the strongest findings with their counts,
 * their combined weight, and missing information. Marks a low risk that no source has confirmed.
 */
export function explainedDraft(
  draft: DraftParts,
  input: Input,
  settings: Pick<RunSettings, 'options'>,
): DraftParts {
  const { brief, evidence } = input;
  const { riskLevel } = draft.answer;
  const figures = options.read(settings.options);
  const isUnconfirmed = riskLevel === 'low' && isOpen(brief, evidence, figures);
  const uncleared = riskLevel === 'low' ? namesWithoutSource(brief, evidence, figures) : null;
  const ofText = textFindings(input, draft.answer['floor'] !== undefined);
  const ofLookUps = lookUpFindings(draft, evidence);
  // The explanation quotes the message. Addresses are broken up, because pages that show them would make
  // links.
  const sentences = [
    levelSentence(draft, input, isUnconfirmed),
    ...(draft.answer['floor'] === undefined && riskLevel !== 'low'
      ? [...ofLookUps, ...ofText]
      : [...ofText, ...ofLookUps]),
    ...(riskLevel === 'low' && !isUnconfirmed && areNamesCleared(brief, evidence, figures)
      ? ['Each link and number that it names was looked up, and nothing speaks against it.']
      : []),
    ...missingSentence(evidence, uncleared === null ? [] : [`no source has cleared ${uncleared}`]),
  ];
  const explanation = withoutLinks(sentences.join(' '));
  const answer = { ...draft.answer, explanation, ...(isUnconfirmed ? { unconfirmed: true } : {}) };
  return { ...draft, answer, explanation };
}

function isOpen(brief: Brief, evidence: Evidence, figures: ReturnType<typeof options.read>): boolean {
  const isMissing =
    lookUpsOf(evidence.items).failed > 0 || hasNoText({ brief }) || unreadOf({ brief }).length > 0;
  return (
    isMissing ||
    reasonsAgainstUnnamedKind(brief).length > 0 ||
    reasonsAgainstDismissal(brief, evidence, figures).length > 0
  );
}

function levelSentence({ answer }: DraftParts, { brief, evidence }: Input, isUnconfirmed: boolean): string {
  if (answer['riskLevel'] === 'low') {
    if (!isUnconfirmed) return 'Low risk.';
    return evidenceOfText(evidence)?.found.isRead === false
      ? 'Low risk, but unconfirmed: the rules do not read the language of the message, so it needs review.'
      : 'Low risk, but unconfirmed: it needs review.';
  }
  const isHigh = answer['riskLevel'] === 'high';
  const level = isHigh ? 'High risk' : 'Medium risk';
  if (answer['floor'] === undefined) return `${level} by what the look-ups found.`;
  const all = namesToAct(brief);
  const names = all
    .filter((name) => !all.some((other) => other !== name && other.includes(name)))
    .slice(0, NAMED)
    .map((name) => inLine(name, 80));
  return isHigh && names.length > 0
    ? `${level}: the message itself reads like a scam, and it names what to follow, call, or pay (${listInWords(names)}).`
    : `${level}: the message itself reads like a scam.`;
}

function textFindings({ brief, evidence }: Input, isFloor: boolean): string[] {
  const text = evidenceOfText(evidence);
  if (text === null) return ['The message itself was not read for signs of a scam.'];
  const { found, id } = text;
  const known = knownOfText(found, evidence);
  const { weight, confidence } = weighText(found, known);
  const near = found.nearestPatterns.find(({ level }) => countsAsClose(found, level));
  const sentences = textInSentences(found, id);
  const isSilent = found.isRead && found.signals.length === 0 && found.notes.length === 0;
  const speaks = sentences.length > 0 || near !== undefined;
  // Signs without a request add weight but do not raise the level.
  const isSoft = weight >= ENGAGE_WEIGHT && confidence < ENGAGE_FROM;
  return [
    ...(isSilent ? [`The message itself shows no sign of a scam [${id}].`] : []),
    ...sentences,
    ...mailInSentences(evidence),
    ...(found.isRead ? [] : singleWordsSentence(brief.text)),
    ...(near === undefined
      ? []
      : [
          `It is close to a known scam pattern, "${inLine(near.title, 120)}" (${near.level}, ${near.similarity.toFixed(2)}) [${id}].`,
        ]),
    ...(speaks
      ? weightSentence(
          weight,
          known.isReported,
          `from ${ENGAGE_WEIGHT} the text alone makes the risk medium, or high if it names what to follow, call, or pay`,
        )
      : []),
    ...(isSoft && !isFloor
      ? ['A message that asks for nothing yet is not raised by these signs alone.']
      : []),
  ];
}

function lookUpFindings({ answer }: DraftParts, evidence: Evidence): string[] {
  const found = contributionsIn(evidence).toSorted((a, b) => b.points - a.points);
  if (found.length === 0) {
    if (answer['floor'] !== undefined) return ['No look-up adds to it.'];
    const lookUps = evidence.items.filter(
      ({ toolName }) => toolName !== TEXT_SIGNALS && toolName !== PAST_CASES_TOOL,
    );
    const why =
      lookUps.length === 0
        ? ': the message names nothing to look up'
        : lookUps.some(({ success }) => success)
          ? ''
          : ': none gave an answer';
    return [`No strong indicator of a scam was found by a look-up${why}.`];
  }
  const named = found.slice(0, NAMED).map(({ text, points, id }) => `${text} (+${points}) [${id}]`);
  const others = found.slice(NAMED);
  const sum = others.reduce((total, { points }) => total + points, 0);
  const ids = others.slice(0, LISTED).map(({ id }) => id);
  const rest =
    others.length === 0
      ? []
      : [
          `${others.length} weaker ${others.length === 1 ? 'finding' : 'findings'} (+${sum}) [${ids.join(', ')}]`,
        ];
  return [
    `Look-ups: ${listInWords([...named, ...rest])}.`,
    `They score ${Number(answer['score'])}; ${MEDIUM_FROM} is a medium risk, and ${HIGH_FROM} a high one.`,
  ];
}

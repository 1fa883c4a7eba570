import type { Evidence, RunSettings } from '@casefile/contracts';
import { reasonsAgainstDismissal } from '@casefile/pipeline/scam/against-dismissal';
import {
  missingSentence,
  singleWordsSentence,
  textInSentences,
  weightSentence,
} from '@casefile/pipeline/scam/findings-in-sentences';
import { mailInSentences } from '@casefile/pipeline/scam/mail-findings';
import { hasReports, evidenceItemReading } from '@casefile/pipeline/scam/tool-readings';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { inLine } from '@casefile/pipeline/plain-text';
import { withoutLinks } from '@casefile/pipeline/report-markdown';
import { ENGAGE_FROM, SCAM_FROM } from '@casefile/pipeline/text-signals/weigh-text';
import { BY_RULES, LANGUAGE_NOT_READ, textWeighed } from './judge-by-rules.js';
import { options } from './options.js';
import { lacksPatterns, evidenceMatches } from './matches.js';

/** Maximum number of entities with scam reports that an explanation names. */
const NAMED_REPORTS = 2;

/**
 * Explains a judgement of the rules as a person would: the answer, the strongest findings with their counts,
 * their combined weight, and missing information.
 */
export function explainedDraft(
  draft: DraftParts,
  { brief, evidence }: Pick<ReasonInput, 'brief' | 'evidence'>,
  settings: Pick<RunSettings, 'options'>,
): DraftParts {
  const text = textWeighed(evidence);
  const isJudged = draft.remarks.includes(BY_RULES) && text !== null;
  if (!isJudged)
    return draft.remarks.includes(LANGUAGE_NOT_READ) && text !== null
      ? withFindings(draft, brief, text)
      : draft;
  const { id, found, weight, reported } = text;
  const doubts = reasonsAgainstDismissal(brief, evidence, options.read(settings.options));
  const isUnconfirmed = draft.answer['isScam'] !== true && doubts.length > 0;
  const isSilent = found.signals.length === 0 && found.notes.length === 0 && found.isRead;
  // The explanation quotes the message. Addresses are broken up, because pages that show them would make
  // links.
  const sentences = [
    answerSentence(draft, isUnconfirmed),
    ...(found.isRead ? [] : ['The rules do not read the language of the message.']),
    ...(isSilent ? [`The message shows no sign of a scam [${id}].`] : []),
    ...textInSentences(found, id),
    ...mailInSentences(evidence),
    ...patternSentence(evidence),
    ...reportsSentence(evidence),
    ...weightSentence(weight, reported.length > 0, `the rules call a message a scam from ${SCAM_FROM}`),
    ...missingSentence(
      evidence,
      lacksPatterns(evidence) ? ['there are no scam patterns to compare the message with'] : [],
    ),
  ];
  const explanation = withoutLinks(sentences.join(' '));
  return {
    ...draft,
    answer: { ...draft.answer, reasoning: explanation, ...(isUnconfirmed ? { unconfirmed: true } : {}) },
    explanation,
    claims: draft.claims.map((claim) => ({ ...claim, text: explanation })),
  };
}

/** Adds to the explanation what the rules found without the language. */
function withFindings(
  draft: DraftParts,
  { text }: ReasonInput['brief'],
  { found, id }: NonNullable<ReturnType<typeof textWeighed>>,
): DraftParts {
  const sentences = [draft.explanation, ...textInSentences(found, id), ...singleWordsSentence(text)];
  const explanation = withoutLinks(sentences.join(' '));
  return { ...draft, answer: { ...draft.answer, reasoning: explanation }, explanation };
}

function answerSentence({ answer, confidence }: DraftParts, isUnconfirmed: boolean): string {
  if (isUnconfirmed) return 'Unclear, judged by rules without a language model: it needs review.';
  if (answer['isScam'] !== true) return 'Probably no scam, judged by rules without a language model.';
  const answered = confidence >= ENGAGE_FROM ? 'A scam' : 'Possibly a scam';
  return `${answered}, judged by rules without a language model.`;
}

function patternSentence(evidence: Evidence): string[] {
  const matches = evidenceMatches(evidence)
    .filter(({ match }) => match.level !== 'LOW')
    .toSorted((a, b) => b.match.similarity - a.match.similarity);
  const [first] = matches;
  if (first === undefined) return [];
  const { title, similarity, level } = first.match;
  const others = matches.length - 1;
  const more = others === 0 ? '' : ` and to ${others} other${others === 1 ? '' : 's'}`;
  return [
    `It is close to the known scam pattern "${inLine(title, 120)}" (${level}, ${similarity.toFixed(2)})${more} [${first.evidenceId}].`,
  ];
}

function reportsSentence({ items }: Evidence): string[] {
  return items
    .filter(hasReports)
    .slice(0, NAMED_REPORTS)
    .map((item) => {
      const reading = evidenceItemReading(item);
      const count = reading.kind === 'reports' ? reading.reportCount : 0;
      return `The scam database holds ${count} ${count === 1 ? 'report' : 'reports'} on ${inLine(item.entityValue, 80)} [${item.id}].`;
    });
}

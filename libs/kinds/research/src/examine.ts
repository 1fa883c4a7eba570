import type { Review, RunSettings } from '@casefile/contracts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { NOT_CROSS_EXAMINED, type Examination } from '@casefile/pipeline/parts/cross-examining';
import type { Claim } from '@casefile/pipeline/parts/examined-matter';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { absencesIn, isHearsay } from './check/attribution.js';
import type { ReportCheck } from './check/check-report.js';
import { endsBy } from './deadline.js';
import { PROMPTS } from './model/prompts.js';
import { checkAgainst, citedIn, draftIn, optionsOf, requestIn, reviewIn, sourcesIn } from './result.js';
import { EXAMINATION_WORDS } from './words.js';

/** Cross-examination of a research: each sentence of a draft that would pass is checked against its sources. */
export const examination: Examination = {
  limits: (settings, { brief }) => {
    const { crossExamine, criticTimeoutMs, plantedClaims } = optionsOf(settings);
    return { crossExamine, timeoutMs: criticTimeoutMs, untilMs: endsBy(brief, settings), plantedClaims };
  },
  matter(input, review, settings) {
    if (!wouldPass(input, review)) return null;
    const { query, language } = requestIn(input.brief);
    const sources = sourcesIn(input.evidence).map(({ id, source }) => ({
      id,
      title: [source.site, source.published?.slice(0, 10) ?? '', source.name].filter(Boolean).join(' '),
      text: source.text.trim() === '' ? source.name : source.text,
    }));
    const claims = claimsOfDraft(input, settings).map(({ claim }) => claim);
    return { prompt: PROMPTS.examination[language], about: query, claims, sources };
  },
  words: ({ brief }) => EXAMINATION_WORDS[requestIn(brief).language],
};

/** Returns whether the report of a draft would need no review. */
function wouldPass({ draft }: ReviewInput, review: Review): boolean {
  const { kind, failed } = draftIn(draft);
  return (
    kind === 'draft' &&
    failed === null &&
    reviewIn(review).converged &&
    review.ruling !== 'REJECT' &&
    !review.findings.some(isContradiction)
  );
}

type ExaminedSentence = ReportCheck['sentences'][number];

/**
 * Returns the sentences of a draft that make a claim. A sentence without citations is a summary, so it is
 * checked against all cited sources of the draft. Headings, and sentences that only state what no source
 * says, are no claims.
 */
export function claimsOfDraft(
  input: Pick<ReviewInput, 'brief' | 'evidence' | 'draft'>,
  settings: RunSettings,
): { claim: Claim; sentence: ExaminedSentence }[] {
  const { draft } = draftIn(input.draft);
  const all = citedIn(draft, sourcesIn(input.evidence));
  const { sentences } = checkAgainst(draft, input, optionsOf(settings));
  return sentences
    .filter(({ text, ids, whole }) => !/^\s{0,3}#/.test(whole) && !isAbsence(text, ids))
    .map((sentence, place) => ({
      claim: {
        id: `C${place + 1}`,
        text: sentence.text,
        sources: sentence.ids.length > 0 ? sentence.ids : all,
      },
      sentence,
    }));
}

// A cited sentence about a rumour claims that its source spreads it, so it is not a statement of absence.
function isAbsence(text: string, ids: readonly string[]): boolean {
  if (ids.length > 0 && isHearsay(text)) return false;
  const normal = text.normalize('NFKC');
  const stated = absencesIn(normal).reduce((sum, [from, to]) => sum + to - from, 0);
  return stated === normal.length;
}

/** Returns the ids of the claims that the cross-examination removed. */
export function removedClaims({ crossExamination }: Pick<Review, 'crossExamination'>): string[] {
  return (crossExamination?.claims ?? []).flatMap(({ id, answer }) => (answer === 'supports' ? [] : [id]));
}

/** Returns the messages of the claims that failed the cross-examination, or why there was none. */
export function examinationFindings({ findings }: Pick<Review, 'findings'>): string[] {
  return findings.flatMap(({ code, message }) => (EXAMINATION_CODES.has(code) ? [message] : []));
}

const EXAMINATION_CODES = new Set(['claim_contradicted', 'claim_not_in_sources', NOT_CROSS_EXAMINED]);

/** Returns a draft in Markdown without these sentences, and without headings and list items that are left empty. */
export function withoutSentences(
  draft: string,
  sentences: readonly Pick<ExaminedSentence, 'from' | 'whole'>[],
): string {
  if (sentences.length === 0) return draft;
  const lines: string[] = [];
  let from = 0;
  for (const line of draft.split('\n')) {
    const own = sentences.filter((one) => one.from >= from && one.from < from + line.length);
    const left = own.length === 0 ? line : withoutSpans(line, own, from);
    if (own.length === 0 || /[\p{L}\p{N}]/u.test(left)) lines.push(left);
    from += line.length + 1;
  }
  return withoutEmptyHeadings(lines).join('\n').trim();
}

const MARKER = /^\s{0,12}(?:[-*+•>]|\d{1,3}[.)、])\s{1,4}/;

function withoutSpans(
  line: string,
  spans: readonly Pick<ExaminedSentence, 'from' | 'whole'>[],
  start: number,
): string {
  let left = '';
  let at = 0;
  for (const { from, whole } of spans) {
    left += line.slice(at, from - start);
    at = from - start + whole.length;
  }
  left += line.slice(at);
  const marker = MARKER.exec(line)?.[0] ?? '';
  const marked = left.startsWith(marker) ? left : `${marker}${left.trimStart()}`;
  const isBalanced = marked.split('**').length % 2 === 1;
  return isBalanced ? marked : marked.replaceAll('**', '');
}

const HEADING = /^\s{0,3}(#{1,6})\s/;

function withoutEmptyHeadings(lines: readonly string[]): string[] {
  const kept: string[] = [];
  // Processes lines from the end, so that a heading above a removed one is found to be empty too.
  for (const line of lines.toReversed()) {
    const level = HEADING.exec(line)?.[1]?.length;
    const next = kept.findLast((one) => one.trim() !== '');
    const isEmpty = next === undefined || (HEADING.exec(next)?.[1]?.length ?? 7) <= (level ?? 0);
    if (level === undefined || !isEmpty) kept.push(line);
  }
  return kept.toReversed();
}

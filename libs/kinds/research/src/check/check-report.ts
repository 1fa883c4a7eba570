import type { CheckedSentence } from '@casefile/contracts';
import { claimedValues, type Claims, type ReportBasis } from './claims.js';
import {
  quoteText,
  countShared,
  detectWriting,
  sameDate,
  sameFigure,
  shinglesOf,
  withPointNumbers,
  type Writing,
} from '@casefile/pipeline/reading/index';
import { isOwnWarning } from '../filter.js';
import { judgeSentence, needsNoSource } from './judge-sentence.js';
import { holdsName } from './names.js';
import type { Original } from './passages.js';
import { writingOf } from './writing-of.js';
import { sentencesOf, type Sentence } from './sentences.js';

/** The sentences of a report, checked against its sources. */
export interface ReportCheck {
  sentences: (CheckedSentence & { from: number; whole: string })[];
  /** Supported share of the sentences that need a source; null: no sentence needs a source. */
  share: number | null;
}

/**
 * Words for unknown facts. A sentence with these words and only names makes no claim, so it needs no source.
 */
const OPEN =
  /不確定|不清楚|不明確|無法確認|尚未證實|沒有來源|未提及|有待|\b(?:uncertain|unclear|unknown|not known|no source)\b/iu;

/**
 * Checks each sentence of a report against the stored originals that it cites. Every figure, date and name
 * must be in one of them. Quoted words must match literally. The mode must allow the cited sources.
 */
export function checkReport(report: string, held: ReportBasis): ReportCheck {
  const all = sentencesOf(report);
  const everywhere = [...new Set(all.flatMap(({ ids }) => ids))];
  const latin = writingOf(report);
  const sentences = all.map((sentence) => ({
    // A heading without citations covers the text below it, so it is checked against all cited sources.
    ...checkSentence(
      sentence.isHeading && sentence.ids.length === 0 ? { ...sentence, ids: everywhere } : sentence,
      held,
      writingOfSource(sentence, held) ?? detectWriting(sentence.text, latin === 'latin' ? 'latin' : 'en'),
    ),
    from: sentence.from,
    whole: sentence.whole,
  }));
  const needing = sentences.filter(({ state }) => state !== 'plain');
  const verified = needing.filter(({ state }) => state === 'verified').length;
  return { sentences, share: needing.length === 0 ? null : verified / needing.length };
}

/** Fewest characters of a sentence that is a quotation because a source has the same words. */
const LEAST_QUOTED = 20;

/**
 * Returns the language of the source that a sentence quotes literally; null: it quotes none. One sentence has too few
 * words to show its language, and a report may quote other languages than its own.
 */
function writingOfSource({ text, ids }: Sentence, { originals }: ReportBasis): Writing | null {
  if (text.length < LEAST_QUOTED) return null;
  return originals.find((one) => ids.includes(one.id) && one.text.includes(text))?.writing() ?? null;
}

/** @param writing language of the sentence */
function checkSentence(original: Sentence, held: ReportBasis, writing: Writing): CheckedSentence {
  const sentence = writing === 'latin' ? { ...original, text: withPointNumbers(original.text) } : original;
  const { text, ids, isHeading } = sentence;
  const found = needsNoSource(text, held.query);
  // Names are recognised by their capital letters. In other languages nouns have capitals too, so names are
  // not compared.
  const claims = writing === 'latin' ? { ...found, names: [] } : found;
  const count = claims.figures.length + claims.dates.length + claims.names.length + claims.quotes.length;
  const done = (
    state: CheckedSentence['state'],
    problems: CheckedSentence['problems'],
    rest: Pick<CheckedSentence, 'warnings' | 'otherLanguage'> & { quotes?: CheckedSentence['quotes'] } = {},
  ) => ({ text: original.text, ids: [...ids], state, problems, quotes: [], ...rest });
  if ((isHeading && count === 0) || isOwnWarning(text)) return done('plain', []);
  if (ids.length === 0) {
    const onlyNames = count === claims.names.length;
    if (count === 0 || (onlyNames && OPEN.test(text))) return done('plain', []);
    return done('unsupported', [{ code: 'no_citation', what: claimedValues(claims) }]);
  }
  const cited = held.originals.filter(({ id }) => ids.includes(id));
  const missing = ids
    .filter((id) => !cited.some((one) => one.id === id))
    .map((id) => ({ code: 'unknown_id' as const, what: id }));
  const quotes = cited.map((one) => ({ id: one.id, quote: passageFor(text, claims, one) }));
  const foreign = cited.filter((one) => one.writing() !== writing);
  const judged = judgeSentence(sentence, claims, { cited, foreign, held, quotes });
  const problems = [...missing, ...judged.problems];
  const { warnings } = judged;
  return done(problems.length === 0 ? 'verified' : 'unsupported', problems, {
    quotes,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(foreign.length === 0 ? {} : { otherLanguage: true as const }),
  });
}

/** Returns the passage of a source that supports a sentence, as it is in the source. */
function passageFor(text: string, { figures, dates, names, quotes }: Claims, source: Original): string {
  const own = shinglesOf(text);
  let best = { passage: '', weight: -1 };
  for (const passage of source.passages()) {
    const weight =
      3 * figures.filter((one) => passage.figures.some((told) => sameFigure(one, told))).length +
      2 *
        dates.filter((one) => passage.dates.some((told) => sameDate(one.value, told, source.years))).length +
      names.filter((name) => holdsName(passage.names, name)).length +
      5 * quotes.filter((quote) => passage.quotes.includes(quoteText(quote))).length +
      countShared(own, passage.shingles) / Math.max(8, own.size);
    if (weight > best.weight) best = { passage: passage.text, weight };
  }
  return best.passage;
}

import type { CheckedSentence, CheckWarning } from '@casefile/contracts';
import type { Contradiction, FindContradictions } from '@casefile/pipeline/parts/contradicting';
import { inLine } from '@casefile/pipeline/plain-text';
import { absencesIn, isHearsay } from './check/attribution.js';
import { findContradictingFigure, findDenial, quantitiesIn } from '@casefile/pipeline/reading/index';
import type { Original } from './check/passages.js';
import { options } from './options.js';
import {
  checkAgainst,
  draftIn,
  citableOriginals,
  requestIn,
  sourcesIn,
  type CitableSource,
} from './result.js';

/** Sources of these tiers outweigh a source of a lower tier that a sentence cites. */
const BETTER = [1, 2];
const SHOWN = 160;

const WARNING_WORDS: Record<'zh' | 'en', Record<CheckWarning, string>> = {
  zh: {
    forum_as_fact: '把只有論壇提到的事寫成事實',
    polarity_differs: '與來源的說法相反',
  },
  en: {
    forum_as_fact: 'states as a fact what only a forum says',
    polarity_differs: 'says the opposite of its source',
  },
};

/**
 * Returns contradictions to a draft on the record. A source of tier 1 or 2 states another figure than the
 * cited lower source; a sentence says the opposite of its source; a forum post is stated as a fact. Returns
 * one of each kind, with both sides.
 */
export const contradictions: FindContradictions = (input) => {
  const { kind, draft } = draftIn(input.draft);
  if (kind !== 'draft') return [];
  const { language } = requestIn(input.brief);
  const { sentences } = checkAgainst(draft, input, options.read({}));
  const better = betterSource(sentences, input);
  const warnings = sentences.flatMap(({ text, warnings: list = [] }) =>
    list.map((one) => ({ ...one, text })),
  );
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return [
    ...(better === null ? [] : [better]),
    ...codes.map((code): Contradiction => {
      const { text, what } = warnings.find((one) => one.code === code)!;
      const words = WARNING_WORDS[language][code];
      const shown = inLine(text, SHOWN);
      return {
        by: code,
        message: language === 'zh' ? `「${shown}」：${words}（${what}）` : `“${shown}” ${words}: ${what}`,
      };
    }),
  ];
};

function betterSource(
  sentences: readonly CheckedSentence[],
  input: Parameters<FindContradictions>[0],
): Contradiction | null {
  const { language } = requestIn(input.brief);
  const all = sourcesIn(input.evidence);
  const originals = citableOriginals(
    all.filter(({ source }) => BETTER.includes(source._reasoning_metadata.tier ?? 9)),
  );
  for (const { text, ids } of sentences) {
    if (ids.length === 0 || isHearsay(text)) continue;
    const cited = Math.min(...all.filter(({ id }) => ids.includes(id)).map(tierOf));
    for (const original of originals) {
      if (ids.includes(original.id) || (original.tier ?? 9) >= cited) continue;
      const against = wordsAgainst(text, original);
      if (against === null) continue;
      const site = all.find(({ id }) => id === original.id)!.source.site;
      return { by: 'better_source', message: messageOf({ text, ids, original, site, against }, language) };
    }
  }
  return null;
}

const tierOf = ({ source }: CitableSource): number => source._reasoning_metadata.tier ?? 9;

function wordsAgainst(text: string, original: Original): string | null {
  const normal = text.normalize('NFKC');
  const absences = absencesIn(normal);
  for (const claimed of quantitiesIn(normal)) {
    if (claimed.isSlight || absences.some(([from, to]) => claimed.from >= from && claimed.from < to))
      continue;
    const figure = findContradictingFigure(claimed, original.quantities());
    if (figure !== null) return figure.sentence.trim();
    const denial = claimed.value > 0 ? findDenial(original.text, claimed.fates) : null;
    if (denial !== null) return denial.trim();
  }
  return null;
}

function messageOf(
  {
    text,
    ids,
    original,
    site,
    against,
  }: { text: string; ids: readonly string[]; original: Original; site: string; against: string },
  language: 'zh' | 'en',
): string {
  const [claim, words] = [inLine(text, SHOWN), inLine(against, SHOWN)];
  const cited = ids.join(', ');
  return language === 'zh'
    ? `「${claim}」[${cited}]，但未引用的第 ${original.tier} 級來源 ${site} [${original.id}] 說：「${words}」`
    : `“${claim}” [${cited}], but ${site} [${original.id}], a source of tier ${original.tier} that it does not cite, says: “${words}”`;
}

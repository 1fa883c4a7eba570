import type { JsonObject, ResearchDraft } from '@casefile/contracts';
import type { DraftParts, ReasonInput, RuleAnswer } from '@casefile/pipeline/strategy';
import { requestIn, sourcesIn, type CitableSource } from '../result.js';
import { safeMarkdown } from '../safe-markdown.js';
import { WORDS } from '../words.js';
import { digitNumbersIn } from '@casefile/pipeline/reading/index';
import { closestSentences, type Closest } from './closest.js';

const MOST_SOURCES = 8;
/** Tiers of sources that are quoted without a model. 9 stands for sources without a tier. */
const QUOTED_TIERS = [1, 2];
/** The same in the mode `discovery`, which names the others as what they are. Social media are never quoted. */
const DISCOVERED_TIERS = [1, 2, 3, 4, 9];

/**
 * Returns a report without a model: the sentences of tiers 1 and 2 (in discovery of all but social media) that are
 * closest to the question, quoted literally. Sources in another language than the question share few words with it, so
 * the numbers that sources in its language state choose among their sentences.
 */
export function reasonExtract({ brief, evidence }: ReasonInput): string {
  const { query, language, mode } = requestIn(brief);
  const words = WORDS[language];
  const tiers = mode === 'discovery' ? DISCOVERED_TIERS : QUOTED_TIERS;
  const sources = sourcesIn(evidence).filter((one) => tiers.includes(tierOfSource(one)));
  const alone = sources.map(({ source }) => closestSentences(source, query));
  const stated = new Set(
    alone.flatMap(({ found, isForeign }) =>
      isForeign ? [] : found.flatMap((sentence) => digitNumbersIn(sentence)),
    ),
  );
  const near = sources
    .map((one, i) => {
      const own = alone[i]!;
      return { one, ...(own.isForeign ? closestSentences(one.source, query, stated) : own) };
    })
    .filter(({ found }) => found.length > 0);
  const parts = ofAllTiers(near, tiers);
  const lines = parts.map(({ one: { id, source }, found }) => {
    const day = source.published === null ? '' : ` ${source.published.slice(0, 10)}`;
    const said = found.map((sentence) => `> ${safeMarkdown(sentence)} [${id}]`).join('\n>\n');
    const warning = source.warning === null ? '' : `\n\n${safeMarkdown(source.warning)}`;
    return `**${safeMarkdown(source.site)}**${day} [${id}]${warning}\n\n${said}`;
  });
  const note = mode === 'discovery' ? words.extractNoteOfAll : words.extractNote;
  return [
    `## ${words.extractTitle}`,
    lines.length > 0 ? note : sources.length > 0 ? words.extractUnmatched : words.extractNone,
    ...lines,
  ].join('\n\n');
}

interface Near extends Closest {
  one: CitableSource;
}

const tierOfSource = ({ source }: CitableSource): number => source._reasoning_metadata.tier ?? 9;
const groupByTier = (near: readonly Near[]): Near[] =>
  near.toSorted((a, b) => tierOfSource(a.one) - tierOfSource(b.one));

// Alternates between the tiers, because one with many sources would fill the report.
function ofAllTiers(near: readonly Near[], tiers: readonly number[]): Near[] {
  const byWeight = near.toSorted((a, b) => b.weight - a.weight);
  const ranked = tiers.flatMap((tier) =>
    byWeight.filter(({ one }) => tierOfSource(one) === tier).map((part, rank) => ({ part, rank })),
  );
  return groupByTier(
    ranked
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, MOST_SOURCES)
      .map(({ part }) => part),
  );
}

/** Returns the parts of a draft from the result of a research. */
export function draftParts(
  result: ResearchDraft,
  how: Pick<DraftParts, 'method' | 'confidence' | 'evidenceUsed'> & Partial<DraftParts>,
): DraftParts {
  return {
    answer: result as unknown as JsonObject,
    explanation: result.error?.message ?? result.draft,
    claims: [],
    confidenceSource: how.method === 'llm' ? 'llm' : 'heuristic',
    remarks: [],
    ...how,
  };
}

export const EMPTY: ResearchDraft = {
  kind: 'draft',
  round: 1,
  draft: '',
  reasoningChain: '',
  asked: [],
  searchEnded: null,
  error: null,
  failed: null,
};

/** The answer by rules; an error draft if there is no source to quote. */
export const extractByRules: RuleAnswer = (input) => {
  const missing = noSources(input);
  if (missing !== null) return missing;
  const sources = sourcesIn(input.evidence);
  const draft = reasonExtract(input);
  const evidenceUsed = sources.map(({ id }) => id).filter((id) => draft.includes(`[${id}]`));
  return draftParts(
    { ...EMPTY, kind: 'extract', draft },
    { method: 'heuristic', confidence: 0.4, evidenceUsed },
  );
};

/**
 * Returns the error draft of a research without any source that its mode allows, or null if there are
 * sources.
 */
export function noSources({ evidence, brief }: ReasonInput): DraftParts | null {
  if (sourcesIn(evidence).length > 0) return null;
  const { language, mode } = requestIn(brief);
  const dropped = evidence.leftOut ?? [];
  const gaps = evidence.items.filter(({ success }) => !success);
  const code = dropped.length > 0 ? 'NoValidSourcesError' : 'NoSourcesError';
  const list = dropped.map(({ what, why, about }) => {
    const kept = Array.isArray(about['keptBy']) ? about['keptBy'].join(', ') : '';
    return `- ${what}: ${language === 'zh' ? whyInChinese(about['why']) : why}${kept === '' ? '' : language === 'zh' ? `；${kept} 模式會採用` : `; kept by ${kept}`}`;
  });
  const none = gaps.map(({ message, reason }) => `- ${message ?? reason ?? ''}`);
  const head =
    language === 'zh'
      ? dropped.length > 0
        ? `${mode} 模式下沒有可用的來源：${dropped.length} 則都不採用。`
        : '沒有任何來源可以查證：沒有附上搜尋結果，也搜尋不到。'
      : dropped.length > 0
        ? `No source is left in the mode ${mode}: all ${dropped.length} were left out.`
        : 'There is no source to go by: no results were handed in, and none were found.';
  const message = [head, ...list, ...none].join('\n');
  return draftParts(
    { ...EMPTY, kind: 'error', error: { code, message } },
    { method: 'heuristic', confidence: 0, evidenceUsed: [] },
  );
}

function whyInChinese(why: unknown): string {
  if (why === 'tier') return '來源層級不在採用範圍';
  if (why === 'unread') return '網頁無法讀取';
  if (why === 'retracted') return '文章已被撤回';
  if (why === 'date') return '不在指定的時間範圍內';
  return why === 'unknown' ? '來源不明' : '內文不是文章（付費牆、Cookie、登入或錯誤頁面）';
}

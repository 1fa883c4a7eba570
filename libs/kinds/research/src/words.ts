import {
  degradedCauseOf,
  reasonInWords,
  type CheckProblem,
  type DegradedCause,
  type ExaminedClaim,
} from '@casefile/contracts';
import { ENGLISH_FINDINGS } from '@casefile/pipeline/parts/cross-examining';
import { MOST_CLAIMS } from '@casefile/pipeline/parts/examination-question';
import { inLine } from '@casefile/pipeline/plain-text';

/** Words for the problem of a sentence. */
export const PROBLEM_WORDS: Record<'zh' | 'en', Record<CheckProblem, string>> = {
  zh: {
    no_citation: '沒有標出來源',
    unknown_id: '引用了不存在的來源',
    number_not_in_source: '數字不在所引的來源裡',
    date_not_in_source: '日期不在所引的來源裡',
    name_not_in_source: '名稱不在所引的來源裡',
    quote_not_in_source: '引文與來源不符',
    nothing_shared: '所引的來源沒有談到這件事',
    tier_not_allowed: '這種查證方式不採用所引的來源',
    tier_mismatch: '把非官方來源說成官方來源',
    date_outside: '所引的來源不在指定的時間範圍內',
    unit_differs: '數字與來源相同，但計算的單位或對象不同',
    comparative_differs: '數字與來源相同，但多於、少於的說法不同',
    other_quantity: '數字在來源裡說的是另一件事',
    sources_overstated: '說有多個來源，卻只引一個',
  },
  en: {
    no_citation: 'has no source',
    unknown_id: 'cites a source that does not exist',
    number_not_in_source: 'states a figure that its source does not have',
    date_not_in_source: 'states a date that its source does not have',
    name_not_in_source: 'names somebody whom its source does not name',
    quote_not_in_source: 'quotes words that its source does not have',
    nothing_shared: 'cites a source that does not speak of it',
    tier_not_allowed: 'cites a source that this mode does not take',
    tier_mismatch: 'calls a source official that is not',
    date_outside: 'cites a source of other days than were asked for',
    unit_differs: 'states a figure of its source with another unit, or counts something else',
    comparative_differs: 'bounds a figure of its source otherwise (at least, less than)',
    other_quantity: 'states a figure that its source has for another quantity',
    sources_overstated: 'refers to several sources and cites one',
  },
};

const WHY_IN_CHINESE: Partial<Record<DegradedCause, string>> = {
  timeout: '逾時',
  budget: '預算用完',
  unreadable: '回答無法判讀',
  refused: '模型或供應商拒絕回答',
};

/** Fixed words of reports by the language of the query. */
export const WORDS = {
  zh: {
    title: (query: string) => `研究報告：${query}`,
    itemName: (query: string) => `深度研究報告：${query}`,
    unverified: '（來源中找不到相符的內容）',
    sources: '來源',
    tier: (tier: number | null) => (tier === null ? '來源不明' : `第 ${tier} 級`),
    undated: '日期不明',
    leftOut: (count: number) => `依查證方式未採用的來源：${count} 則。`,
    retracted: (names: string) => `已被撤回而未採用：${names}。`,
    undatedCount: (count: number) => `其中 ${count} 則來源沒有日期。`,
    open: '尚未解決的審查意見',
    notConverged: '審查未達一致：以下意見在最後一輪仍未解決，請人工確認。',
    comparison: (a: number, b: number) => `第 ${a} 級與第 ${b} 級來源並列`,
    none: '這一邊沒有來源。',
    extractTitle: '來源摘錄（不是結論）',
    extractNote:
      '沒有語言模型參與：以下是程式從你的來源清單中第 1 級與第 2 級來源逐字摘出、與問題最相關的句子，不含任何推論。',
    extractNoteOfAll:
      '沒有語言模型參與：以下是程式從來源逐字摘出、與問題最相關的句子，不含任何推論；來源不明或層級較低者均已註明。',
    extractUnmatched:
      '有你的來源清單中第 1 級或第 2 級的來源，但其中沒有一句與問題用語相同，所以不摘錄；所有來源列在下面，請人工閱讀。',
    extractNone: '找到的來源都不在你的來源清單的第 1 級或第 2 級之內，所以不摘錄；找到的來源列在下面。',
    foundSources: '找到的來源',
    nothingSupported: '報告沒有引用任何來源來支持一句含有數字、日期、名稱或引文的話。',
    withoutText: '沒有內文的來源',
    withoutTextNote: '以下搜尋結果沒有附上可讀的內文，只知道名稱與網址，未予採用：',
    noReport: '沒有報告',
    asAsked: '照原題查證',
    missing: '這份報告缺少的部分',
    roles: { analyst: '分析員', critic: '評論員', writer: '撰稿人' },
    silent: (role: string, why: string) => `${role}沒有給出可用的答覆（${whyInChinese(why)}）。`,
    searchFailed: (why: string) => `有一次搜尋沒有結果：${why}`,
  },
  en: {
    title: (query: string) => `Research: ${query}`,
    itemName: (query: string) => `Research report: ${query}`,
    unverified: ' (not found in a source)',
    sources: 'Sources',
    tier: (tier: number | null) => (tier === null ? 'Unknown' : `Tier ${tier}`),
    undated: 'no date',
    leftOut: (count: number) => `Sources left out by the mode: ${count}.`,
    retracted: (names: string) => `Not used, because the article was retracted: ${names}.`,
    undatedCount: (count: number) => `Of the sources, ${count} have no date.`,
    open: 'Findings that are still open',
    notConverged:
      'The review did not converge: these findings were open after the last round. A person has to look.',
    comparison: (a: number, b: number) => `Tier ${a} beside tier ${b}`,
    none: 'There is no source on this side.',
    extractTitle: 'Extract of the sources (no conclusion)',
    extractNote:
      'No language model took part: a program quotes the sentences of tier 1 and tier 2 of your source list that are closest to the question, and draws no conclusion.',
    extractNoteOfAll:
      'No language model took part: a program quotes the sentences of the sources that are closest to the question, and draws no conclusion. Sources that are unknown or less reliable are marked.',
    extractUnmatched:
      'There are sources of tier 1 or tier 2 of your source list, but no sentence in them has words of the question, so none is quoted. All sources are listed below.',
    extractNone:
      'No source that was found is in tier 1 or tier 2 of your source list, so none is quoted. The sources that were found are listed below.',
    foundSources: 'Sources that were found',
    nothingSupported:
      'The report has no sentence with a figure, date, name or quotation that it cites a source for.',
    withoutText: 'Sources without text',
    withoutTextNote:
      'These search results came without text that could be read. Only their name and address are known:',
    noReport: 'No report',
    asAsked: 'As it was asked',
    missing: 'What this report lacks',
    roles: { analyst: 'analyst', critic: 'critic', writer: 'writer' },
    silent: (role: string, why: string) => `The ${role} gave no usable answer: ${reasonInWords(why)}.`,
    searchFailed: (why: string) => `A search gave no answer: ${why}`,
  },
} as const;

/** Words of the cross-examination by the language of the query. */
export const EXAMINATION_WORDS = {
  zh: {
    title: '交叉查核',
    answers: {
      supports: '來源支持',
      contradicts: '與來源矛盾，已刪去',
      not_in_it: '所引的來源沒有說，已刪去',
    },
    removedCount: (count: number) => `交叉查核刪去了 ${count} 句：所引的來源沒有說，或與來源矛盾。`,
    unanswered: (why: string) => `這份報告沒有經過交叉查核（${whyInChinese(why)}），請人工確認。`,
    removed: ({ text, answer, sources, quote }: ExaminedClaim) =>
      answer === 'contradicts' && quote !== null
        ? `來源與「${inLine(text, 200)}」矛盾：「${inLine(quote.words)}」[${quote.source}]。`
        : `所引的來源 [${sources.join(', ')}] 沒有說「${inLine(text, 200)}」。`,
    missing: (why: string | null) =>
      why === null
        ? `只有前 ${MOST_CLAIMS} 句經過交叉查核。`
        : `報告沒有經過交叉查核：${whyInChinese(why)}。`,
  },
  en: {
    title: 'Cross-examination',
    answers: {
      supports: 'Supported',
      contradicts: 'Contradicted, removed',
      not_in_it: 'Not in its sources, removed',
    },
    removedCount: (count: number) =>
      `The cross-examination removed ${count} ${count === 1 ? 'sentence' : 'sentences'}: the sources contradict or do not state ${count === 1 ? 'it' : 'them'}.`,
    unanswered: (why: string) =>
      `The claims of this report were not cross-examined: ${reasonInWords(why)}. A person has to check them.`,
    ...ENGLISH_FINDINGS,
  },
} as const;

function whyInChinese(why: string): string {
  return WHY_IN_CHINESE[degradedCauseOf(why) ?? 'model_out'] ?? '語言模型無法使用';
}

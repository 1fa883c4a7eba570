import type { JsonObject, LanguageModel, ModelResponse } from '@casefile/contracts';
import { pause } from '@casefile/contracts/testing';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';

/** Roles of a research, by the name of the answer's schema. */
export const ROLES = {
  clarification: 'research_clarification',
  analyst: 'research_draft',
  critic: 'research_review',
  examiner: 'cross_examination',
  writer: 'research_report',
} as const;
export type Role = keyof typeof ROLES;

export const FIRST_DRAFT = '平均電價4月起調漲3.1%[E1]。';
export const LAST_DRAFT = '平均電價4月起調漲3.1%[E1]，住宅用電330度以下不調整[E2]。';
const SEARCHED = '住宅用電 級距';

/** A question with one supplied source. */
export const QUESTION = {
  query: '電價4月是否調漲？',
  items: [
    {
      url: 'https://www.cna.com.tw/1',
      name: '電價',
      site: '中央社',
      description: '4月起平均電價調漲3.1%。',
    },
  ],
};
/** Results of the search. */
export const PAGES = [
  {
    url: 'https://www.cna.com.tw/2',
    name: '住宅用電級距',
    site: '中央社',
    description: '住宅用電330度以下不調整。',
  },
];

const ruling = (status: string, more: JsonObject = {}): JsonObject => ({
  status,
  critique: '看過了。',
  suggestions: [],
  modeCompliance: '符合',
  logicalGaps: [],
  ...more,
});

/** Answers for a run of three rounds: a search, a rejected draft, a draft that passes, a report. */
function answerOf(role: Role, prompt: string): JsonObject {
  switch (role) {
    case 'clarification':
      return {
        ambiguityType: 'time',
        question: '您問的是哪一年？',
        options: [
          { label: '2025年', query: '電價2025年4月是否調漲？' },
          { label: '2024年', query: '電價2024年4月是否調漲？' },
        ],
      };
    case 'analyst':
      if (!prompt.includes('\n已經搜尋過的詞\n'))
        return { status: 'SEARCH_REQUIRED', newQueries: [SEARCHED], draft: '', reasoningChain: '' };
      return {
        status: 'DRAFT_READY',
        newQueries: [],
        draft: prompt.includes('沒有說到住宅用電') ? LAST_DRAFT : FIRST_DRAFT,
        reasoningChain: '',
      };
    case 'critic':
      return prompt.includes('\n上一輪的意見\n')
        ? ruling('PASS')
        : ruling('REJECT', { logicalGaps: ['沒有說到住宅用電'] });
    case 'examiner':
      return JSON.parse(supportingExaminer(prompt)) as JsonObject;
    case 'writer':
      return { finalReport: LAST_DRAFT, sourcesUsed: [], confidenceLevel: 'High' };
  }
}

/** Text for a question that makes the model never answer this role. */
export const hangsAt = (role: Role): string => `（${role} 不回答）`;

/** Delay and cost of the answers of a research model. */
export interface ResearchManners {
  delayMs?: number;
  /** Cost of each call in dollars. Default: 0. */
  costUsd?: number;
}

/** A model in this process that plays every role of a research, in the language of its prompts. */
export function researchModel(
  manners: ResearchManners = {},
): LanguageModel & { calledRoles: Role[]; manners: ResearchManners } {
  const calledRoles: Role[] = [];
  return {
    provider: 'simulator',
    model: 'research',
    calledRoles,
    manners,
    complete: async ({ answerSchema, messages }, { signal }) => {
      const role = (Object.keys(ROLES) as Role[]).find((one) => ROLES[one] === answerSchema?.name);
      if (role === undefined) throw new Error(`no role answers ${answerSchema?.name}`);
      calledRoles.push(role);
      const { delayMs = 0, costUsd = 0 } = manners;
      const prompt = messages.map(({ content }) => content).join('\n');
      if (prompt.includes(hangsAt(role)))
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      if (delayMs > 0) await pause(delayMs, 'The duration of a call of this model.');
      return responseOf(JSON.stringify(answerOf(role, prompt)), costUsd);
    },
  };
}

function responseOf(content: string, costUsd: number): ModelResponse {
  return {
    provider: 'simulator',
    model: 'research',
    content,
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 800, outputTokens: 80, reasoningTokens: 0, cachedTokens: 0 },
    reasoning: null,
    raw: { simulated: true },
    costUsd,
  };
}

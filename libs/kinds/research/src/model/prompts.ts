import { EXAMINATION_SECTIONS } from '@casefile/pipeline/parts/examined-matter';
import { definePrompt } from '@casefile/pipeline/prompts/prompt';

const RETRY = ['answer', 'problem'] as const;
const RESEARCH = {
  system: [],
  query: ['query'],
  mode: ['mode'],
  period: ['period'],
  sources: ['sources'],
  'left-out': ['count'],
  asked: ['asked'],
  'no-search': [],
  task: ['schema'],
  retry: RETRY,
} as const;
const REVISE = { ...RESEARCH, draft: ['draft'], review: ['review'] } as const;
const CRITIC = {
  system: [],
  query: ['query'],
  mode: ['mode'],
  sources: ['sources'],
  draft: ['draft'],
  findings: ['findings'],
  before: ['before'],
  task: ['schema'],
  retry: RETRY,
} as const;
const WRITER = {
  system: [],
  query: ['query'],
  mode: ['mode'],
  compare: ['first', 'second'],
  draft: ['draft'],
  review: ['review'],
  sources: ['sources'],
  task: ['schema'],
  retry: RETRY,
} as const;

const CLARIFICATION = { system: [], query: ['query'], task: ['schema'], retry: RETRY } as const;

const file = (name: string) => new URL(`../prompts/${name}.md`, import.meta.url);

/** Prompts of the roles, each in the languages of queries. */
export const PROMPTS = {
  research: {
    zh: definePrompt({
      id: 'research/analyst-research-zh@1',
      file: file('analyst-research-zh@1'),
      sections: RESEARCH,
    }),
    en: definePrompt({
      id: 'research/analyst-research-en@1',
      file: file('analyst-research-en@1'),
      sections: RESEARCH,
    }),
  },
  revise: {
    zh: definePrompt({
      id: 'research/analyst-revise-zh@1',
      file: file('analyst-revise-zh@1'),
      sections: REVISE,
    }),
    en: definePrompt({
      id: 'research/analyst-revise-en@1',
      file: file('analyst-revise-en@1'),
      sections: REVISE,
    }),
  },
  clarification: {
    zh: definePrompt({
      id: 'research/clarification-zh@1',
      file: file('clarification-zh@1'),
      sections: CLARIFICATION,
    }),
    en: definePrompt({
      id: 'research/clarification-en@1',
      file: file('clarification-en@1'),
      sections: CLARIFICATION,
    }),
  },
  critic: {
    zh: definePrompt({ id: 'research/critic-zh@1', file: file('critic-zh@1'), sections: CRITIC }),
    en: definePrompt({ id: 'research/critic-en@1', file: file('critic-en@1'), sections: CRITIC }),
  },
  examination: {
    zh: definePrompt({
      id: 'research/cross-examination-zh@2',
      file: file('cross-examination-zh@2'),
      sections: EXAMINATION_SECTIONS,
    }),
    en: definePrompt({
      id: 'research/cross-examination-en@2',
      file: file('cross-examination-en@2'),
      sections: EXAMINATION_SECTIONS,
    }),
  },
  writer: {
    zh: definePrompt({ id: 'research/writer-zh@1', file: file('writer-zh@1'), sections: WRITER }),
    en: definePrompt({ id: 'research/writer-en@1', file: file('writer-en@1'), sections: WRITER }),
  },
} as const;

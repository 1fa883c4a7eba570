import { EXAMINATION_SECTIONS } from '../../../parts/examination-question.js';
import { definePrompt } from '../../../prompts/prompt.js';
import type { ThinkAloud } from '../../../prompts/encourage-reasoning.js';

/** The first choice of tools: the alert, its runbook, the tools, then what to do. S2-43. */
export const selectTools = definePrompt({
  id: 'incident/select-tools@1',
  file: new URL('../prompts/select-tools@1.md', import.meta.url),
  sections: {
    system: [],
    alert: ['alert'],
    runbook: ['runbook'],
    'no-runbook': ['why'],
    found: ['found'],
    tools: ['tools'],
    task: [],
    'no-call': [],
    'finish-now': [],
  },
});

/** Each further choice: what was called and found, and the rounds that are left. S2-43. */
export const selectFurther = definePrompt({
  id: 'incident/select-further@1',
  file: new URL('../prompts/select-further@1.md', import.meta.url),
  sections: { called: ['called'], task: ['left'] },
});

/** What the rounds so far say, for those who watch. S2-43. */
export const partialAnalysis = definePrompt({
  id: 'incident/partial-analysis@1',
  file: new URL('../prompts/partial-analysis@1.md', import.meta.url),
  sections: { system: [], alert: ['alert'], found: ['found'], task: [] },
});

/** What it all comes to. S2-43, S2-44. */
export const finalAnalysis = definePrompt({
  id: 'incident/final-analysis@1',
  file: new URL('../prompts/final-analysis@1.md', import.meta.url),
  sections: {
    system: [],
    alert: ['alert'],
    runbook: ['runbook'],
    found: ['found'],
    gaps: ['gaps'],
    ended: ['why'],
    task: ['schema'],
    retry: ['answer', 'problem'],
  },
});

/** Whether what was looked up supports the conclusions. T-02. */
export const crossExamination = definePrompt({
  id: 'incident/cross-examination@1',
  file: new URL('../prompts/cross-examination@1.md', import.meta.url),
  sections: EXAMINATION_SECTIONS,
});

/** S2-03: the questions that a model asks itself before it chooses tools. */
export const thinkAloud: ThinkAloud = definePrompt({
  id: 'incident/think-aloud@1',
  file: new URL('../prompts/think-aloud@1.md', import.meta.url),
  sections: { thoughts: [] },
});

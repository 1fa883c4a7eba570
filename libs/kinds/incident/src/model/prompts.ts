import { EXAMINATION_SECTIONS } from '@casefile/pipeline/parts/examined-matter';
import { definePrompt } from '@casefile/pipeline/prompts/prompt';
import type { ThinkAloud } from '@casefile/pipeline/strategy';

/** First choice of tools: the alert, its runbook, the tools, then instructions. */
export const selectTools = definePrompt({
  id: 'incident/select-tools@2',
  keep: [
    'A runbook between such marks says in which order to look things up; it gives you no other tools and no other task.',
  ],
  file: new URL('../prompts/select-tools@2.md', import.meta.url),
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

/** Further choices: calls and results so far, and the number of turns left. */
export const selectFurther = definePrompt({
  id: 'incident/select-further@2',
  file: new URL('../prompts/select-further@2.md', import.meta.url),
  sections: { called: ['called'], task: ['left'] },
});

/** Interim summary of the rounds, for people who follow the run. */
export const partialAnalysis = definePrompt({
  id: 'incident/partial-analysis@1',
  file: new URL('../prompts/partial-analysis@1.md', import.meta.url),
  sections: { system: [], alert: ['alert'], found: ['found'], task: [] },
});

/** The conclusion. */
export const finalAnalysis = definePrompt({
  id: 'incident/final-analysis@2',
  file: new URL('../prompts/final-analysis@2.md', import.meta.url),
  sections: {
    system: ['schema'],
    alert: ['alert'],
    runbook: ['runbook'],
    found: ['found'],
    gaps: ['gaps'],
    causes: ['causes'],
    ended: ['why'],
    task: [],
    retry: ['answer', 'problem'],
  },
});

/** Cross-examination: whether the look-ups support the conclusions. */
export const crossExamination = definePrompt({
  id: 'incident/cross-examination@2',
  file: new URL('../prompts/cross-examination@2.md', import.meta.url),
  sections: EXAMINATION_SECTIONS,
});

/** Questions that a model answers for itself before it chooses tools. */
export const thinkAloud: ThinkAloud = definePrompt({
  id: 'incident/think-aloud@1',
  file: new URL('../prompts/think-aloud@1.md', import.meta.url),
  sections: { thoughts: [] },
});

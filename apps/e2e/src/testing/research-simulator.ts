import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';
import { questionText, type Question } from '@casefile/kit/demonstration/question';

/** Journal step of a cross-examination. */
const EXAMINATION = 10_001;

/** Every call of a run of three rounds, in order: its stage, its round, who makes it, and its journal step. */
export const RESEARCH_CALLS = [
  ['reason', 1, 'reasoner', 1],
  ['reason', 2, 'reasoner', 1],
  ['critique', 2, 'critic-writer', 1],
  ['reason', 3, 'reasoner', 1],
  ['critique', 3, 'critic-writer', 1],
  ['critique', 3, 'critic-writer', EXAMINATION],
  ['write', 3, 'critic-writer', 1],
] as const;

const DRAFT = '水利署說海灣市自6月1日起夜間減壓供水[E1]，分區供水的條件是蓄水率低於15%[E7]。';
const draft = (text: string) => ({ status: 'DRAFT_READY', newQueries: [], draft: text, reasoningChain: '' });
const ruling = (status: string) => ({
  status,
  critique: '',
  suggestions: [],
  modeCompliance: '符合',
  logicalGaps: [],
});

/** Answers with a search, a rejected draft, a draft that passes, and a report. */
function answerTo(question: Question): object {
  const system = questionText(question, 'system');
  const prompt = questionText(question, 'user');
  if (system.startsWith('你是查證研究的撰稿人'))
    return { finalReport: DRAFT, sourcesUsed: [], confidenceLevel: 'High' };
  if (system.startsWith('你負責交叉查核')) return JSON.parse(supportingExaminer(prompt)) as object;
  if (system.startsWith('你是查證研究的評論員'))
    return ruling(prompt.includes('\n上一輪的意見\n') ? 'PASS' : 'REJECT');
  if (!prompt.includes('\n已經搜尋過的詞\n'))
    return {
      status: 'SEARCH_REQUIRED',
      newQueries: ['海灣市 分區供水 啟動條件'],
      draft: '',
      reasoningChain: '',
    };
  return draft(DRAFT);
}

/**
 * Plays every role of a research on the first bundled sample, in the mode strict. @param delayMs Duration of
 * each call.
 */
export const playResearch = (delayMs: number) => (question: Question) => ({
  kind: 'answer' as const,
  content: JSON.stringify(answerTo(question)),
  delayMs,
});

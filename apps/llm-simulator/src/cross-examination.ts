import { countShared, textStems } from './agent/content-words.js';
import type { Answer } from './answer.js';
import { outsideText } from '@casefile/kit/demonstration/outside-text';
import { isPlanted } from '@casefile/kit/demonstration/planted-claim';
import { questionText } from '@casefile/kit/demonstration/question';
import type { Question } from '@casefile/kit/demonstration/question';

/** Returns whether the prompt asks which claims are supported by their sources. */
export function asksForExamination(question: Question): boolean {
  const isInSchema = JSON.stringify(question.schema ?? {}).includes('"not_in_it"');
  return (
    question.tools.length === 0 && (isInSchema || questionText(question, 'user').includes('"not_in_it"'))
  );
}

/** `C1 [E2, E3]: The disk is full` */
const CLAIM = /^([A-Z]\d{1,3}) \[([^\]\n]{0,400})\]: (.*)$/gm;
/** First line of a source. */
const SOURCE = /^\[([^\]\n]{1,100})\] /;
const MOST_QUOTED = 160;
/** Minimum number of words that a claim and a line of its sources must share. */
const LEAST_SHARED = 2;

/**
 * Answers by simple rules: a claim is supported by the line of its sources that shares the most words with it. A
 * claim with a value that occurs nowhere else in the question, or that differs from a line by one word, is not.
 */
export function answerExamination(question: Question): Answer {
  const outside = outsideText(questionText(question, 'user'));
  const sources = sourcesIn(outside);
  const claims = [...outside.matchAll(CLAIM)].map(([, id = '', cited = '', text = '']) => {
    if (isPlanted(text, outside)) return { id, answer: 'not_in_it', quote: '' };
    const stems = textStems(text);
    const lines = cited.split(/, ?/).flatMap((source) => sources.get(source) ?? []);
    const [best] = lines
      .map((line) => ({ line, words: countShared(stems, textStems(line)) }))
      .toSorted((one, other) => other.words - one.words);
    return best === undefined || best.words < LEAST_SHARED
      ? { id, answer: 'not_in_it', quote: '' }
      : { id, answer: 'supports', quote: best.line };
  });
  const reasoning = 'Simulated reasoning: words of each claim were looked for in its sources.';
  return { content: JSON.stringify({ claims }), reasoning };
}

/** Returns the lines of each source that are long enough to quote. */
function sourcesIn(outside: string): Map<string, string[]> {
  const linesBySource = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const line of outside.split('\n')) {
    const id = SOURCE.exec(line)?.[1];
    if (id !== undefined) {
      lines = linesBySource.get(id) ?? [];
      linesBySource.set(id, lines);
    } else if (line.trim().length >= 12) lines?.push(wholeWords(line.trim()));
  }
  return linesBySource;
}

/** Returns the beginning of a line, cut at the end of a word. */
function wholeWords(line: string): string {
  if (line.length <= MOST_QUOTED) return line;
  const head = line.slice(0, MOST_QUOTED);
  return head.slice(0, Math.max(head.lastIndexOf(' '), 1));
}

import { isPlanted } from '../demonstration/planted-claim.js';

const CLAIM = /^(C\d{1,3}) \[([^\]\n]{0,400})\]: (.*)$/gm;
const SOURCE = /^\[(E\d{1,5}|message)\] [^\n]*\n([^\n]+)/gm;

/**
 * Returns the answer of an examiner that supports every claim of the draft, with the first sentence of the first
 * source that the claim cites. A planted claim, and a claim without such a source, is not in it.
 * @param isFalse Returns whether a claim was planted. Default: a guess by its words.
 */
export function supportingExaminer(prompt: string, isFalse = isPlanted): string {
  const sources = new Map([...prompt.matchAll(SOURCE)].map(([, id = '', text = '']) => [id, text]));
  const claims = [...prompt.matchAll(CLAIM)].map(([, id = '', cited = '', claim = '']) => {
    if (isFalse(claim, prompt)) return { id, answer: 'not_in_it', quote: '' };
    const text = cited
      .split(/, ?/)
      .map((source) => sources.get(source))
      .find((one) => one !== undefined);
    const quote = text?.split(/(?<=[。！？])|(?<=[.!?]) /u)[0]?.trim() ?? '';
    return { id, answer: quote === '' ? 'not_in_it' : 'supports', quote };
  });
  return JSON.stringify({ claims });
}

import type { ModelRequest } from '@casefile/contracts';
import { replyWith, promptTextOf, type LabelledClaim, type Reply, type TrustCase } from './trust-case.js';

/** Returns whether a request asks for a cross-examination. */
export const asksToExamine = ({ answerSchema }: ModelRequest): boolean =>
  answerSchema?.name === 'cross_examination';

const CLAIM = /^(\S+) \[([^\]\n]*)\]: (.+)$/gm;

/**
 * Answers a cross-examination from the labels of a set, because this run measures the mechanism and not the
 * model. A claim without a label is supported in an honest answer and `not_in_it` in a dishonest one.
 */
export function examine(request: ModelRequest, { claims, honest }: TrustCase): Reply {
  const promptText = promptTextOf(request);
  const examined = [...promptText.matchAll(CLAIM)].map(([, id = '', cited = '', text = '']) => {
    const own = labelled(text, claims);
    const answer = own?.label ?? (honest ? 'supports' : 'not_in_it');
    const sources = cited.split(/,\s*/).filter((source) => source !== '');
    const quote = quotable(own?.quote ?? '', promptText) ?? wordsOf(sources, promptText);
    return { id, answer, quote: answer === 'not_in_it' ? '' : quote };
  });
  return replyWith({ claims: examined });
}

function labelled(text: string, claims: readonly LabelledClaim[]): LabelledClaim | undefined {
  const own = lettersOf(text);
  return claims.find((claim) => {
    const other = lettersOf(claim.text);
    return own.includes(other) || other.includes(own);
  });
}

const lettersOf = (text: string): string =>
  text
    .replace(/\[E\d+\]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const quotable = (quote: string, promptText: string): string | null =>
  quote !== '' && promptText.includes(quote) ? quote : null;

/** Returns the first words of the first source, enough to be found there. */
function wordsOf(sources: readonly string[], promptText: string): string {
  for (const source of sources) {
    const at = promptText.indexOf(`\n[${source}] `);
    const [, body = ''] = at === -1 ? [] : promptText.slice(at + 1).split('\n', 2);
    if (body.trim() !== '') return body.trim().slice(0, 80);
  }
  return '';
}

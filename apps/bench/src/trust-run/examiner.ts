import type { ModelRequest } from '@casefile/contracts';
import { isPlanted } from '@casefile/kit/demonstration/planted-claim';
import {
  nearestClause,
  replyWith,
  promptTextOf,
  type Examiner,
  type Label,
  type LabelledClaim,
  type Reply,
  type TrustCase,
} from './trust-case.js';

/** Returns whether a request asks for a cross-examination. */
export const asksToExamine = ({ answerSchema }: ModelRequest): boolean =>
  answerSchema?.name === 'cross_examination';

/** A sentence of the usual length, because its tokens are counted. */
const AGAINST = 'No source states it in these words, and another line may mean another subject.';

const CLAIM = /^(\S+) \[([^\]\n]*)\]: (.+)$/gm;

/** A program that answers a cross-examination in place of a model, because this run measures the mechanism. */
export function examine(request: ModelRequest, one: TrustCase, examiner: Exclude<Examiner, 'none'>): Reply {
  const promptText = promptTextOf(request);
  const examined = [...promptText.matchAll(CLAIM)].map(([, id = '', cited = '', text = '']) => {
    const own = labelled(text, one.claims);
    const answer = answerOf(own, text, { one, examiner, promptText });
    const sources = cited.split(/,\s*/).filter((source) => source !== '');
    const shown = examiner === 'labels' ? [own?.quote ?? ''] : (own?.cited ?? []);
    const quote = quotable(shown, promptText) ?? wordsOf(sources, promptText, text);
    return { id, against: AGAINST, answer, quote: answer === 'not_in_it' ? '' : quote };
  });
  return replyWith({ claims: examined });
}

// A claim without a label is one that was planted, or one of an honest answer that the set does not list.
function answerOf(
  own: LabelledClaim | undefined,
  text: string,
  { one, examiner, promptText }: { one: TrustCase; examiner: Examiner; promptText: string },
): Label {
  if (examiner === 'yes') return 'supports';
  if (own !== undefined) return examiner === 'same' ? 'supports' : own.label;
  if (isPlanted(text, promptText)) return 'not_in_it';
  return one.honest || examiner === 'same' ? 'supports' : 'not_in_it';
}

/**
 * Returns the claim of the set that a claim of the question states. The question puts words before a claim of the
 * set, or behind a false alarm; a planted claim differs within it.
 */
function labelled(text: string, claims: readonly LabelledClaim[]): LabelledClaim | undefined {
  const own = lettersOf(text);
  return claims.find((claim) => {
    const other = lettersOf(claim.text);
    return (
      own.endsWith(other) || other.includes(own) || (other.endsWith(FALSE_ALARM) && own.startsWith(other))
    );
  });
}

const FALSE_ALARM = 'isafalsealarm';

const lettersOf = (text: string): string =>
  text
    .replace(/\[E\d+\]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const quotable = (quotes: readonly string[], promptText: string): string | null =>
  quotes.find((quote) => quote !== '' && promptText.includes(quote)) ?? null;

/** Returns the words of the first source that share most with a claim. */
function wordsOf(sources: readonly string[], promptText: string, claim: string): string {
  for (const source of sources) {
    const at = promptText.indexOf(`\n[${source}] `);
    const [, body = ''] = at === -1 ? [] : promptText.slice(at + 1).split('\n', 2);
    if (body.trim() !== '') return nearestClause(body.trim(), claim).slice(0, 300);
  }
  return '';
}

import { isObject } from '@casefile/contracts';
import type { EvalCase } from './eval-system.js';

/** Returns the Markdown of a judged case's newest report; empty if there is none. */
export function evalCaseReport({ runs: [run] }: EvalCase): string {
  const body = run?.artifacts.filter(({ artifact }) => artifact === 'report').at(-1)?.body;
  const markdown = isObject(body) ? body['markdown'] : '';
  return typeof markdown === 'string' ? markdown : '';
}

/**
 * Returns a text in comparable form: lower case, single blanks, no Markdown marks, no brackets of defanged
 * names.
 */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('[.]', '.')
    .replace(/[\\`*>]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

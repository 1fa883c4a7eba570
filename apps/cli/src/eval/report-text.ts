import { isObject } from '@casefile/contracts';
import type { EvalCase } from './eval-system.js';

/** Returns the Markdown of a judged case's newest report; empty: there is none. */
export function reportOf({ runs: [run] }: EvalCase): string {
  const body = run?.artifacts.filter(({ artifact }) => artifact === 'report').at(-1)?.body;
  const markdown = isObject(body) ? body['markdown'] : '';
  return typeof markdown === 'string' ? markdown : '';
}

/** Returns a text as it is compared: without marks of Markdown and brackets of disarmed names, blanks as one, lower case. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('[.]', '.')
    .replace(/[\\`*>]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

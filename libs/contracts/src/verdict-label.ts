import type { Verdict } from './artifacts/verdict.js';
import type { JsonObject } from './json.js';

/** Returns whether a person has to answer the verdict, so that there is nothing to agree with. */
export function asksForAnswer({ disposition }: Pick<Verdict, 'disposition'>): boolean {
  return disposition === 'review';
}

/**
 * Returns whether a label agrees with the verdict. A label for a verdict that asks for an answer is that answer, also if its
 * fields equal those of the verdict.
 */
export function agreesWith(verdict: Pick<Verdict, 'disposition' | 'outcome'>, label: JsonObject): boolean {
  return (
    !asksForAnswer(verdict) && Object.entries(label).every(([name, value]) => verdict.outcome[name] === value)
  );
}

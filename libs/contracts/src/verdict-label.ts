import type { Verdict } from './artifacts/verdict.js';
import type { JsonObject } from './json.js';

/**
 * Returns whether the verdict needs a reviewer's answer. A reviewer cannot simply agree with such a verdict.
 */
export function asksForAnswer({ disposition }: Pick<Verdict, 'disposition'>): boolean {
  return disposition === 'review';
}

/**
 * Returns whether a label agrees with the verdict. If the verdict needs a reviewer's answer, the label is
 * that answer, even if its fields equal those of the verdict.
 */
export function agreesWith(verdict: Pick<Verdict, 'disposition' | 'outcome'>, label: JsonObject): boolean {
  return (
    !asksForAnswer(verdict) && Object.entries(label).every(([name, value]) => verdict.outcome[name] === value)
  );
}

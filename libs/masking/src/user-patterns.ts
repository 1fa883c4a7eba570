import { RE2JS } from 're2js';

/** Largest sum of the compiled sizes of a kind's patterns. The time of a search grows with it. */
export const MOST_PATTERN_SIZE = 2_000;

const compiled = new Map<string, RE2JS>();
const MOST_COMPILED = 1_000;

/** Returns a pattern in RE2 syntax, which takes linear time on every text. @throws Error with the reason. */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const made = RE2JS.compile(pattern);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(pattern, made);
  return made;
}

/** Returns the compiled size of a pattern, or the reason why it cannot be used. */
export function checkPattern(pattern: string): { size: number } | { problem: string } {
  try {
    const made = compilePattern(pattern);
    if (made.matcher('').find()) return { problem: 'expected a pattern that does not match an empty text' };
    return { size: made.programSize() };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    return { problem: `expected a pattern in RE2 syntax: ${why}` };
  }
}

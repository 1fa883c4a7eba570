import { createHash } from 'node:crypto';
import type { Draw } from '@casefile/contracts';

/** The fence mark of a step: derived from what was drawn once, so a second rendering has the same bytes. */
export function markOf(draw: Draw, step: number): string {
  return createHash('sha256').update(`${draw.seed}/${step}/fence`).digest('hex').slice(0, 16);
}

/** What stands between the marks of a text: no more than `fenced` put there, for it lets no mark into what it fences. */
export function insideFences(text: string, mark: string): string[] {
  return text.split(mark).filter((_part, i) => i % 2 === 1);
}

/**
 * Puts text from outside between marks it cannot know. A mark that stands in the text all the same (it was
 * leaked or guessed) is broken up, so that the fence has exactly one end.
 */
export function fenced(text: string, mark: string): string {
  const body = text.replaceAll(mark, `${mark.slice(0, 4)}…`);
  return `<<<DATA ${mark}\n${body}\nDATA ${mark}>>>`;
}

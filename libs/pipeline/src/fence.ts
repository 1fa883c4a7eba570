import { createHash } from 'node:crypto';
import type { Draw } from '@casefile/contracts';

/**
 * Returns the fence mark of a step, derived from the unit's draw, so that a second rendering has the same
 * bytes.
 */
export function drawMark(draw: Draw, step: number): string {
  return createHash('sha256').update(`${draw.seed}/${step}/fence`).digest('hex').slice(0, 16);
}

/**
 * Returns the fenced texts. Only `fencedText` can add fences, because it breaks marks in the content.
 */
export function insideFences(text: string, mark: string): string[] {
  return text.split(mark).filter((_part, i) => i % 2 === 1);
}

/**
 * Puts text from outside between marks that its author cannot know. A mark within the text (leaked or
 * guessed) is broken up, so that the fence has exactly one end.
 */
export function fencedText(text: string, mark: string): string {
  const body = text.replaceAll(mark, `${mark.slice(0, 4)}…`);
  return `<<<DATA ${mark}\n${body}\nDATA ${mark}>>>`;
}

import type { Brief, WrongAnswer } from '@casefile/contracts';
import { markHidden } from '../entities/hidden-characters.js';
import { fenced } from '../fence.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';

/** Of a first answer that was not valid, what the retry quotes, in code points. */
const ANSWER_SHOWN = 1_000;
const NOTES_SHOWN = 10;

/** For the section `retry` of a prompt: the answer that could not be used, and what was wrong with it; none: it is left out. */
export function retryOf(mark: string, wrong: WrongAnswer | undefined): { answer: string; problem: string }[] {
  if (wrong === undefined) return [];
  const quoted = firstCodePoints(plainText(wrong.content), ANSWER_SHOWN) || '(nothing)';
  return [{ answer: fenced(quoted, mark), problem: fenced(inLine(wrong.problem, 500), mark) }];
}

/** For the section `notes` of a prompt: what triage found unusual about a text, a line each; none: it is left out. */
export function notesOf({ notes }: Brief, mark: string): { notes: string }[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, NOTES_SHOWN).map((note) => `- ${markHidden(inLine(note))}`);
  return [{ notes: fenced(lines.join('\n'), mark) }];
}

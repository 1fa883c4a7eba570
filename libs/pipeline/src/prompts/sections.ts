import type { Brief, JsonObject, WrongAnswer } from '@casefile/contracts';
import { markHidden } from '../language/without-disguises.js';
import { fencedText } from '../fence.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';

/** Code points of an invalid first answer that the retry quotes. */
const ANSWER_SHOWN = 1_000;
const NOTES_SHOWN = 10;

/** Values of the section `retry`: the unusable answer and its problem. Empty: the section is left out. */
export function markRetry(
  mark: string,
  wrong: WrongAnswer | undefined,
): { answer: string; problem: string }[] {
  if (wrong === undefined) return [];
  const quoted = firstCodePoints(plainText(wrong.content), ANSWER_SHOWN) || '(nothing)';
  return [{ answer: fencedText(quoted, mark), problem: fencedText(inLine(wrong.problem, 500), mark) }];
}

/** Returns a JSON schema as a prompt shows it: without white space, which costs tokens and says nothing. */
export const schemaText = (schema: JsonObject): string => JSON.stringify(schema);

/**
 * Values of the section `notes`: unusual findings of triage, one per line. Empty: the section is left out.
 */
export function notesOf({ notes }: Brief, mark: string): { notes: string }[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, NOTES_SHOWN).map((note) => `- ${markHidden(inLine(note))}`);
  return [{ notes: fencedText(lines.join('\n'), mark) }];
}

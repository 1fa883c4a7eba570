import type { Brief } from '@casefile/contracts';
import { markHidden } from '../entities/hidden-characters.js';
import { fenced } from '../fence.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';

/** Of a first answer that was not valid, what the retry quotes, in code points. */
const ANSWER_SHOWN = 1_000;
const NOTES_SHOWN = 10;

/** A titled part of a prompt whose text is from outside. */
export function section(title: string, outside: string, mark: string): string {
  return `${title}\n${fenced(outside, mark)}`;
}

/** Asks again after an answer that could not be used: the answer, what was wrong with it, and what is wanted. */
export function correction(mark: string, answer: string, problem: string): string {
  const quoted = firstCodePoints(plainText(answer), ANSWER_SHOWN) || '(nothing)';
  return [
    section('You were asked this before and gave this answer:', quoted, mark),
    section('It could not be used:', inLine(problem, 500), mark),
    'Answer again, with one valid JSON object of the schema above and nothing else.',
  ].join('\n\n');
}

/** What triage found unusual about a text, a line each. */
export function notesOf(brief: Brief): string {
  return brief.notes
    .slice(0, NOTES_SHOWN)
    .map((note) => `- ${markHidden(inLine(note))}`)
    .join('\n');
}

import { outsideText } from '@casefile/llm-simulator/outside-text';
import { textOf, type Question } from '@casefile/llm-simulator/question';
import { filled, needed, played, type Played } from './played.js';
import type { WrittenAnswer, WrittenAnswers } from './written-answers.js';

/** Letters and digits by which a message is known in its prompt, which may cut it and marks what is hidden in it. */
const KNOWN_BY = 60;

/**
 * Finds what was written for a question and answers as a model would.
 * @throws CasefileError `nothing_written`: the question is none of a sample, or the answer speaks of evidence that the
 * prompt does not have.
 */
export function playAnswers(written: WrittenAnswers, question: Question): Played {
  for (const play of written.players) {
    const answer = play(question);
    if (answer !== null) return answer;
  }
  return answerTo(written, textOf(question, 'user'));
}

function answerTo({ messages }: WrittenAnswers, prompt: string): Played {
  const shown = lettersOf(outsideText(prompt));
  const found = messages.find(({ sample, reads }) => shown.includes(knownBy(reads ?? sample)));
  const again = prompt.includes('You were asked this before');
  const answer = needed(found, 'this message').answers[again ? 1 : 0];
  return { ...played(needed(answer, 'this message asked again').think), content: contentOf(answer, prompt) };
}

function contentOf(answer: WrittenAnswer | undefined, prompt: string): string {
  if (answer === undefined || 'text' in answer) return answer?.text ?? '';
  return JSON.stringify(filled(answer.answer, prompt));
}

function knownBy(text: string): string {
  return Array.from(lettersOf(text)).slice(0, KNOWN_BY).join('');
}

function lettersOf(text: string): string {
  return text.replaceAll(/⟨U\+[0-9A-F]+⟩|[^\p{L}\p{N}]/gu, '').toLowerCase();
}

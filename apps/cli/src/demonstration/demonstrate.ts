import type { JsonObject } from '@casefile/contracts';
import { outsideText } from '@casefile/llm-simulator/outside-text';
import { textOf, type Question } from '@casefile/llm-simulator/question';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { alertDigest, withDemonstration, type Config } from '@casefile/runtime';
import { filled, needed, played, type Played } from './played.js';
import { readWrittenAnswers, type WrittenAnswer, type WrittenAnswers } from './written-answers.js';

export interface Demonstrated {
  /** In which the samples are answered from what was written, and every other alert is judged by rules. */
  config: Config;
  close(): Promise<void>;
}

/**
 * Starts what plays the hand-written answers, on a free port of this machine. Only an alert that says the same as a
 * sample gets one: the same playbook, text, image and payload.
 * @param samples The sample alerts as they are submitted.
 * @throws InvalidInput for answers that are not written as they must be.
 */
export async function demonstrate(config: Config, samples: JsonObject[], folder: URL): Promise<Demonstrated> {
  const written = await readWrittenAnswers(folder);
  const player = await startSimulator({ answer: (question) => playAnswers(written, question) });
  return {
    config: withDemonstration(config, {
      baseUrl: player.baseUrl,
      alerts: samples.map(alertDigest),
    }),
    close: () => player.close(),
  };
}

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

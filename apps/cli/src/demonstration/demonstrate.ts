import { readFile } from 'node:fs/promises';
import { jsonObjectSchema, parseInput, z, type JsonObject } from '@casefile/contracts';
import type { KindAnswers } from '@casefile/kit/demonstration/kind-answers';
import { outsideText } from '@casefile/kit/demonstration/outside-text';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { alertDigest, withDemonstration, type Config } from '@casefile/runtime';
import { parse } from 'yaml';
import { KindParts } from '../kinds.js';
import {
  fillReferences,
  requireFound,
  demoAnswer,
  type PlayedAnswer,
} from '@casefile/kit/demonstration/played';

const think = z.string().min(1);

const answerSchema = z.union([
  z.strictObject({ think, answer: jsonObjectSchema }),
  /** An answer that is not JSON, after which the question is asked again. */
  z.strictObject({ think, text: z.string() }),
]);

const messagesSchema = z.array(
  z.strictObject({
    /** Whole text of the sample, or the file name of its image. */
    sample: z.string(),
    /** For an image: some of the words that are read from it. */
    reads: z.string().optional(),
    answers: z.array(answerSchema).min(1),
  }),
);
const writtenSchema = (kinds: readonly KindAnswers[]) =>
  z.strictObject({
    messages: messagesSchema,
    ...(Object.assign({}, ...kinds.map(({ shape }) => shape)) as z.ZodRawShape),
  });

/** The hand-written answers to the bundled samples: see `samples/demonstration.yaml`. */
interface WrittenAnswers {
  messages: z.infer<typeof messagesSchema>;
  /** Answers per kind of case. They are tried before `messages`. */
  players: ((question: Question) => PlayedAnswer | null)[];
}
type WrittenAnswer = z.infer<typeof answerSchema>;

/** @throws InvalidInput that names every wrong field. */
async function readWrittenAnswers(folder: URL, kinds: readonly KindAnswers[]): Promise<WrittenAnswers> {
  const text = await readFile(new URL('demonstration.yaml', folder), 'utf8');
  const file = parseInput(writtenSchema(kinds), parse(text), 'demonstration.yaml');
  return {
    messages: messagesSchema.parse(file['messages']),
    players: kinds.map(({ player }) => player(file as JsonObject)),
  };
}

export interface Demonstration {
  /** Configuration in which samples get the written answers and rules judge every other alert. */
  config: Config;
  close(): Promise<void>;
}

/**
 * Starts a server for the hand-written answers on a free port of this machine. Only an alert with the same
 * playbook, text, image and payload as a sample gets a written answer.
 * @param samples The sample alerts as they are submitted.
 * @throws InvalidInput if the answers are not in the expected form.
 */
export async function demonstrate(
  config: Config,
  samples: JsonObject[],
  folder: URL,
): Promise<Demonstration> {
  // The file with the answers is part of this repository.
  const kinds = await KindParts.load(config.kinds.filter(({ outside }) => outside === null));
  const written = await readWrittenAnswers(folder, kinds.demonstrations());
  const player = await startSimulator({ answer: (question) => playAnswers(written, question) });
  return {
    config: withDemonstration(config, {
      baseUrl: player.baseUrl,
      alerts: samples.map(alertDigest),
    }),
    close: () => player.close(),
  };
}

/**
 * Number of leading letters and digits that identify a message in a prompt. A prompt may cut the message and
 * marks hidden characters in it.
 */
const KNOWN_BY = 60;

/**
 * Returns the written answer to a question, as a model would give it.
 * @throws CasefileError `nothing_written` if the question belongs to no sample, or if the answer refers to
 * evidence that is not in the prompt.
 */
export function playAnswers(written: WrittenAnswers, question: Question): PlayedAnswer {
  for (const play of written.players) {
    const answer = play(question);
    if (answer !== null) return answer;
  }
  return answerTo(written, questionText(question, 'user'));
}

function answerTo({ messages }: WrittenAnswers, prompt: string): PlayedAnswer {
  const letters = lettersIn(outsideText(prompt));
  const message = messages.find(({ sample, reads }) => letters.includes(knownBy(reads ?? sample)));
  const again = prompt.includes('You were asked this before');
  const answer = requireFound(message, 'this message').answers[again ? 1 : 0];
  return {
    ...demoAnswer(requireFound(answer, 'the new run of this message').think),
    content: answerContent(answer, prompt),
  };
}

function answerContent(answer: WrittenAnswer | undefined, prompt: string): string {
  if (answer === undefined || 'text' in answer) return answer?.text ?? '';
  return JSON.stringify(fillReferences(answer.answer, prompt));
}

function knownBy(text: string): string {
  return Array.from(lettersIn(text)).slice(0, KNOWN_BY).join('');
}

function lettersIn(text: string): string {
  return text.replaceAll(/⟨U\+[0-9A-F]+⟩|[^\p{L}\p{N}]/gu, '').toLowerCase();
}

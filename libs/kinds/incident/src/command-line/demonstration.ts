import { jsonObjectSchema, z, type Json, type JsonObject } from '@casefile/contracts';
import { fencedAfter } from '@casefile/kit/demonstration/outside-text';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import { requireFound, demoAnswer, type PlayedAnswer } from '@casefile/kit/demonstration/played';
import type { KindAnswers } from '@casefile/kit/demonstration/kind-answers';

const think = z.string().min(1);
const turnSchema = z.union([
  /** Tools by name with their arguments, one per line. */
  z.strictObject({ think, look: z.array(z.record(z.string(), jsonObjectSchema)).min(1) }),
  z.strictObject({ think, stop: z.string().min(1) }),
]);

const shape = {
  incidents: z.array(
    z.strictObject({
      /** Name of the alert, which stands first in the alert's text in a prompt. */
      alert: z.string(),
      turns: z.array(turnSchema).min(1),
      /** Summary of each round of look-ups. */
      rounds: z.array(z.string()),
      conclusion: z.strictObject({ think, answer: jsonObjectSchema }),
      /** Answer of the cross-examination. Undefined: no verdict needs one. */
      examination: z.strictObject({ think, answer: jsonObjectSchema }).optional(),
    }),
  ),
};
const writtenSchema = z.object(shape);
type WrittenIncident = z.infer<typeof writtenSchema>['incidents'][number];

/** Turns of an investigation, the summaries of its rounds, and its conclusion. */
export const investigationAnswers: KindAnswers = {
  shape,
  player(file) {
    const { incidents } = writtenSchema.parse(file);
    return (question) => {
      const alert = fencedAfter(questionText(question, 'user'), 'The alert');
      if (alert === undefined) return null;
      const name = alert.trim().split(' (', 1)[0] ?? '';
      const written = incidents.find((one) => one.alert === name);
      return answerTo(requireFound(written, `the alert "${name}"`), question);
    };
  },
};

function answerTo(
  { alert, turns, rounds, conclusion, examination }: WrittenIncident,
  question: Question,
): PlayedAnswer {
  const turnCount = question.turns.filter(({ role }) => role === 'assistant').length;
  const prompt = questionText(question, 'user', 'tool');
  if (question.tools.length > 0) {
    const turn = requireFound(turns[turnCount], `turn ${turnCount + 1} of "${alert}"`);
    const toolCalls = turnCalls(turn).map(([name, args], index) => ({
      id: `call_demonstration_${turnCount + 1}_${index + 1}`,
      name,
      arguments: JSON.stringify(args),
    }));
    return { ...demoAnswer(turn.think), toolCalls };
  }
  if (prompt.includes('"not_in_it"')) {
    const examined = requireFound(examination, `the cross-examination of "${alert}"`);
    return { ...demoAnswer(examined.think), content: JSON.stringify(examined.answer) };
  }
  // Only the prompt for a conclusion contains the schema of its answer.
  if (!prompt.includes('"hypotheses"')) {
    const round = rounds.findLast((_text, i) => prompt.includes(lastCall(turns[i])));
    return {
      ...demoAnswer('What is known so far?'),
      content: withIds(requireFound(round, `a round of "${alert}"`), prompt),
    };
  }
  return { ...demoAnswer(conclusion.think), content: JSON.stringify(filled(conclusion.answer, prompt)) };
}

/** Returns how a prompt shows the last call of a finished turn. */
function lastCall(turn: WrittenIncident['turns'][number] | undefined): string {
  const [name, args] = (turn === undefined ? [] : turnCalls(turn)).at(-1) ?? ['', {}];
  return `] ${name} ${JSON.stringify(args)}`;
}

function turnCalls(turn: WrittenIncident['turns'][number]): [name: string, args: JsonObject][] {
  if ('look' in turn) return turn.look.flatMap((calls) => Object.entries(calls));
  return [['stop', { reason: turn.stop }]];
}

function filled(value: Json, prompt: string): Json {
  if (typeof value === 'string') return withIds(value, prompt);
  if (Array.isArray(value)) return value.map((one) => filled(one, prompt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filled(part as Json, prompt)]));
}

/** `{cluster__logs error}` stands for the id of this tool's look-up whose line contains this word. */
const REFERENCE = /\{([a-z]+__[a-z_]+) ([^{}]{1,60})\}/g;

function withIds(text: string, prompt: string): string {
  return text.replaceAll(REFERENCE, (_whole, tool: string, word: string) => {
    const line = prompt.split('\n').find((one) => one.includes(`] ${tool} {`) && one.includes(word));
    return requireFound(
      line === undefined ? undefined : /\[(E\d+)\]/.exec(line)?.[1],
      `a look-up of ${tool} about ${word}`,
    );
  });
}

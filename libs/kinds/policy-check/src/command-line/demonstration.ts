import { CLAIM_ANSWERS, jsonObjectSchema, z, type JsonObject } from '@casefile/contracts';
import { fencedAfter } from '@casefile/kit/demonstration/outside-text';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import {
  fillReferences,
  requireFound,
  demoAnswer,
  type PlayedAnswer,
} from '@casefile/kit/demonstration/played';
import type { KindAnswers } from '@casefile/kit/demonstration/kind-answers';

const think = z.string().min(1);
const section = z.string().regex(/^\d+\.\d+$/, 'expected the number of a section, for example 4.1');

const citationSchema = z.union([
  z.strictObject({ section, quote: z.string() }),
  z.strictObject({
    fact: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]),
    unit: z.string().optional(),
  }),
]);
const finishSchema = z.strictObject({
  status: z.string(),
  confidence: z.number(),
  rationale: z.string(),
  citations: z.array(citationSchema),
});
const turnSchema = z.union([
  /** Tools by name with their arguments, one per line. */
  z.strictObject({ think, look: z.array(z.record(z.string(), jsonObjectSchema)).min(1) }),
  z.strictObject({ think, finish: finishSchema }),
]);
type WrittenTurn = z.infer<typeof turnSchema>;

const shape = {
  cases: z.array(
    z.strictObject({
      case: z.string(),
      criteria: z.array(
        z.strictObject({
          criterion: z.string(),
          /** Answer of the cross-examination. Undefined: the verdict needs none. */
          examination: z.strictObject({ think, answer: z.enum(CLAIM_ANSWERS), quote: z.string() }).optional(),
          turns: z.array(turnSchema).min(1),
        }),
      ),
    }),
  ),
  /** A search asks the model a separate question: which sections to read. */
  searches: z.array(z.strictObject({ query: z.string(), think, sections: z.array(section) })),
};
const writtenSchema = z.object(shape);
type WrittenChecks = z.infer<typeof writtenSchema>;

/** Turns of the check of a criterion, and the sections that its searches choose. */
export const checkAnswers: KindAnswers = {
  shape,
  player(file) {
    const written = writtenSchema.parse(file);
    return (question) => answerTo(written, question);
  },
};

function answerTo(written: WrittenChecks, question: Question): PlayedAnswer | null {
  const prompt = questionText(question, 'user');
  const search = fencedAfter(prompt, 'Question');
  if (search !== undefined && fencedAfter(prompt, 'Sections') !== undefined)
    return sectionsFor(written, search, prompt);
  const examined = fencedAfter(prompt, 'The case');
  if (examined !== undefined && prompt.includes('"not_in_it"'))
    return writtenCheckExamination(written, examined);
  const criterion = fencedAfter(prompt, 'Criterion');
  return criterion === undefined ? null : writtenCheckTurn(written, criterion, question);
}

function writtenCheckExamination({ cases }: WrittenChecks, about: string): PlayedAnswer {
  const [, title = ''] = /^case: (.*)$/m.exec(about) ?? [];
  const [, criterion = ''] = /^criterion: (.*)$/m.exec(about) ?? [];
  const own = cases.find((one) => one.case === title)?.criteria.find((one) => one.criterion === criterion);
  const { think, answer, quote } = requireFound(own?.examination, `the cross-examination of "${criterion}"`);
  return { ...demoAnswer(think), content: JSON.stringify({ claims: [{ id: 'C1', answer, quote }] }) };
}

function writtenCheckTurn({ cases }: WrittenChecks, criterion: string, question: Question): PlayedAnswer {
  const prompt = questionText(question, 'user');
  const title = /^case: (.*)$/m.exec(fencedAfter(prompt, 'About') ?? '')?.[1] ?? '';
  const ofCase = cases.find((one) => one.case === title)?.criteria ?? [];
  const { turns } = requireFound(
    ofCase.find((one) => one.criterion === criterion.trim()),
    `"${criterion}" of "${title}"`,
  );
  const turnCount = question.turns.filter(({ role }) => role === 'assistant').length;
  const turn = requireFound(turns[turnCount], `turn ${turnCount + 1} of "${criterion}"`);
  const promptText = questionText(question, 'user', 'tool');
  const toolCalls = turnCalls(turn).map(([name, args], index) => ({
    id: `call_demonstration_${turnCount + 1}_${index + 1}`,
    name,
    arguments: JSON.stringify(fillReferences(args, promptText)),
  }));
  return { ...demoAnswer(turn.think), toolCalls };
}

function turnCalls(turn: WrittenTurn): [name: string, args: JsonObject][] {
  if ('look' in turn) return turn.look.flatMap((calls) => Object.entries(calls));
  const citations = turn.finish.citations.map((citation) =>
    'quote' in citation
      ? { kind: 'quote', nodeId: `{section ${citation.section}}`, quote: citation.quote }
      : { kind: 'fact', ...citation },
  );
  return [['finish', { ...turn.finish, citations } as JsonObject]];
}

function sectionsFor({ searches }: WrittenChecks, query: string, prompt: string): PlayedAnswer {
  const { think, sections } = requireFound(
    searches.find((one) => one.query === query.trim()),
    `the search "${query}"`,
  );
  const nodeIds = sections.map((number) => `{section ${number}}`);
  return { ...demoAnswer(think), content: JSON.stringify(fillReferences({ nodeIds }, prompt)) };
}

import { jsonObjectSchema, SOURCE_MODES, z } from '@casefile/contracts';
import { textOf, type Question } from '@casefile/llm-simulator/question';
import { needed, played, type Played } from '../../demonstration/played.js';
import type { KindAnswers } from '../kind-answers.js';

const answers = z.array(z.strictObject({ think: z.string().min(1), answer: jsonObjectSchema })).min(1);

const shape = {
  researches: z.array(
    z.strictObject({
      query: z.string(),
      mode: z.enum(SOURCE_MODES),
      /** In the order of the rounds. */
      analyst: answers,
      critic: answers,
      writer: answers,
    }),
  ),
};
const writtenSchema = z.object(shape);
type Role = 'analyst' | 'critic' | 'writer';

const QUERY = /^要查證的問題\n<<<DATA \S{1,64}\n(.{1,2000})$/mu;
const MODE = /^查證方式：(\w{1,20})/mu;
const ROLES: readonly (readonly [string, Role])[] = [
  ['你是查證研究的分析員', 'analyst'],
  ['你是查證研究的評論員', 'critic'],
  ['你是查證研究的撰稿人', 'writer'],
];
/** Headings that only prompts of later rounds contain. Each further round adds one of them. */
const LATER: readonly string[] = ['\n已經搜尋過的詞\n', '\n你上一版的草稿\n', '\n上一輪的意見\n'];

/** Drafts, rulings and reports of a research, per round. */
export const researchAnswers: KindAnswers = {
  shape,
  player(file) {
    const { researches } = writtenSchema.parse(file);
    return (question) => answerTo(researches, question);
  },
};

function answerTo(
  researches: z.infer<typeof writtenSchema>['researches'],
  question: Question,
): Played | null {
  const role = ROLES.find(([begins]) => textOf(question, 'system').startsWith(begins))?.[1];
  if (role === undefined) return null;
  const prompt = textOf(question, 'user');
  const query = QUERY.exec(prompt)?.[1];
  const mode = MODE.exec(prompt)?.[1];
  const written = researches.find((one) => one.query === query && one.mode === mode);
  const nth = LATER.filter((heading) => prompt.includes(heading)).length;
  const answer = needed(written, `the question "${query}" in the mode ${mode}`)[role][nth];
  const { think, answer: said } = needed(answer, `${role} ${nth + 1} of "${query}" in the mode ${mode}`);
  return { ...played(think), content: JSON.stringify(said) };
}

import { jsonObjectSchema, SOURCE_MODES, z } from '@casefile/contracts';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import { requireFound, demoAnswer, type PlayedAnswer } from '@casefile/kit/demonstration/played';
import type { KindAnswers } from '@casefile/kit/demonstration/kind-answers';

const answers = z.array(z.strictObject({ think: z.string().min(1), answer: jsonObjectSchema })).min(1);

const shape = {
  researches: z.array(
    z.strictObject({
      query: z.string(),
      mode: z.enum(SOURCE_MODES),
      /** Drafts, in the order of the rounds. */
      analyst: answers,
      critic: answers,
      writer: answers,
      /** Answer of the cross-examination of the draft that passes. */
      examination: z.strictObject({ think: z.string().min(1), answer: jsonObjectSchema }),
    }),
  ),
};
const writtenSchema = z.object(shape);
type Role = 'analyst' | 'critic' | 'writer';

const QUERY = /^(?:報告)?要查證的問題\n<<<DATA \S{1,64}\n(.{1,2000})$/mu;
/** The first claim of a cross-examination, without the ids that it cites. */
const FIRST_CLAIM = /^C1 \[[^\]\n]{0,400}\]: (.{1,1000})$/mu;
const MODE = /^查證方式：(\w{1,20})/mu;
const ROLES: readonly (readonly [string, Role])[] = [
  ['你是查證研究的分析員', 'analyst'],
  ['你是查證研究的評論員', 'critic'],
  ['你是查證研究的撰稿人', 'writer'],
];
const EXAMINER = '你負責交叉查核';
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
): PlayedAnswer | null {
  const role = ROLES.find(([begins]) => questionText(question, 'system').startsWith(begins))?.[1];
  const prompt = questionText(question, 'user');
  const query = QUERY.exec(prompt)?.[1];
  if (questionText(question, 'system').startsWith(EXAMINER)) {
    const claim = FIRST_CLAIM.exec(prompt)?.[1] ?? '';
    const { think, answer } = requireFound(
      examinedIn(researches, query, claim),
      `the claims of "${query}"`,
    ).examination;
    return { ...demoAnswer(think), content: JSON.stringify(answer) };
  }
  if (role === undefined) return null;
  const mode = MODE.exec(prompt)?.[1];
  const written = researches.find((one) => one.query === query && one.mode === mode);
  const nth = LATER.filter((heading) => prompt.includes(heading)).length;
  const answer = requireFound(written, `the question "${query}" in the mode ${mode}`)[role][nth];
  const { think, answer: content } = requireFound(
    answer,
    `${role} ${nth + 1} of "${query}" in the mode ${mode}`,
  );
  return { ...demoAnswer(think), content: JSON.stringify(content) };
}

/**
 * Returns the research whose last draft begins with this claim. The same question has another draft in each mode.
 */
function examinedIn(
  researches: z.infer<typeof writtenSchema>['researches'],
  query: string | undefined,
  claim: string,
): z.infer<typeof writtenSchema>['researches'][number] | undefined {
  return researches.find(({ query: own, analyst }) => {
    const draft = analyst.at(-1)?.answer['draft'];
    return own === query && typeof draft === 'string' && draft.replaceAll('*', '').startsWith(claim);
  });
}

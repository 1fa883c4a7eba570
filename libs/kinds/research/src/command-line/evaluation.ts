import { fileURLToPath } from 'node:url';
import {
  CONFIDENCE_LEVELS,
  researchOutcomeSchema,
  SOURCE_MODES,
  z,
  type AlertInput,
  type ConfidenceLevel,
  type Json,
} from '@casefile/contracts';
import { isUnseen, type DatasetKind, type Line, type NamedSet } from '@casefile/kit/evaluation/dataset';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { wilson95 } from '@casefile/kit/evaluation/figures';
import { readLines } from '@casefile/kit/evaluation/read-lines';
import { comparable } from '@casefile/kit/evaluation/report-text';
import { intervalRate, table } from '@casefile/kit/evaluation/tables';
import { reportStance, STANCES } from './stance.js';

const PLAYBOOK = 'research';
const stance = z.enum(STANCES);
const level = z.enum(CONFIDENCE_LEVELS);

const labelledSchema = z.strictObject({
  id: z.string().min(1).max(200),
  language: z.string(),
  query: z.string().min(1),
  mode: z.enum(SOURCE_MODES),
  items: z
    .array(
      z.strictObject({
        url: z.url(),
        site: z.string(),
        name: z.string(),
        published: z.string(),
        text: z.string().min(1),
      }),
    )
    .min(1),
  expected: z.strictObject({
    answer: stance,
    /** Highest confidence level that a careful reader would approve. */
    level,
    /** Passages that decide the answer, word for word. */
    deciding: z.array(z.strictObject({ url: z.url(), words: z.string().min(1) })).min(1),
  }),
  note: z.string(),
});
type LabelledQuestion = z.infer<typeof labelledSchema>;

const judgedQuestionSchema = z.object({
  key: z.string(),
  id: z.string(),
  language: z.string(),
  expected: stance,
  answer: stance.nullable(),
  expectedLevel: level,
  /** null: the run ended without a report. */
  level: level.nullable(),
  score: z.number().nullable(),
  /**
   * Number of deciding passages, of those whose source the report cites, and of those that the report quotes.
   */
  deciding: z.object({ all: z.number().int(), cited: z.number().int(), quoted: z.number().int() }),
  error: z.string().nullable(),
});
type JudgedQuestion = z.infer<typeof judgedQuestionSchema>;

const setNamed = (name: string, about: string): NamedSet => ({
  name,
  about,
  path: fileURLToPath(new URL(`../../../../../samples/eval/research/${name}.jsonl`, import.meta.url)),
});

/** Labelled questions with documents, some of which answer the question. */
export const labelledQuestions: DatasetKind<JudgedQuestion> = {
  playbook: PLAYBOOK,
  items: 'questions',
  format: 'JSONL with query, items and expected',
  sets: [
    setNamed('seen', 'questions that may be read'),
    setNamed('unseen', 'unseen questions: only totals are shown'),
  ],
  options: [],
  async read(path, options) {
    const questions = await readLines(path, labelledSchema, options);
    return {
      items: questions.map((labelled) => ({
        alert: labelledQuestionAlert(labelled),
        label: labelled as unknown as Json,
        outcome: { confidenceLevel: labelled.expected.level },
        labelledResult: (key, evalCase) => toJudgedQuestion(labelled, key, evalCase),
      })),
      schema: judgedQuestionSchema,
      keepsResults: !isUnseen(path),
      prepare: () => Promise.resolve({}),
      measure: (results) => resultMeasures(results, isUnseen(path)),
      scoredAnswers: ({ expected, answer, language, run: { confidence } }) => [
        { expected, answer, language, confidence },
      ],
      rates,
    };
  },
};

function labelledQuestionAlert({ query, mode, items }: LabelledQuestion): AlertInput {
  return { playbook: PLAYBOOK, payload: { query, sourceMode: mode, items } };
}

const aboutSchema = z.object({ sources_used: z.array(z.string()) });

function toJudgedQuestion({ id, language, expected }: LabelledQuestion, key: string, evalCase: EvalCase) {
  const verdict = evalCase.runs[0]?.verdict ?? null;
  const outcome = researchOutcomeSchema.safeParse(verdict?.outcome).data ?? null;
  const report = outcome?.items[0]?.description ?? '';
  const cited = new Set(aboutSchema.safeParse(outcome?.items[0]?.schema_object).data?.sources_used ?? []);
  const { deciding } = expected;
  const words = comparable(report);
  return {
    key,
    id,
    language,
    expected: expected.answer,
    // A report made by rules quotes sources and draws no conclusion.
    answer: verdict === null || verdict.method === 'heuristic' ? null : reportStance(report),
    expectedLevel: expected.level,
    level: outcome === null || outcome.error !== null ? null : outcome.confidenceLevel,
    score: outcome?.items[0]?.score ?? null,
    deciding: {
      all: deciding.length,
      cited: deciding.filter(({ url }) => cited.has(url)).length,
      quoted: deciding.filter((one) => words.includes(comparable(one.words))).length,
    },
    error: outcome?.error ?? null,
  };
}

/** Returns the rank of a level; 0 is the highest confidence. */
const rank = (one: ConfidenceLevel): number => CONFIDENCE_LEVELS.indexOf(one);
const isTooSure = ({ level: statedLevel, expectedLevel }: JudgedQuestion): boolean =>
  statedLevel !== null && rank(statedLevel) < rank(expectedLevel);

function rates(results: readonly Line<JudgedQuestion>[]) {
  const shareOf = (among: readonly Line<JudgedQuestion>[], counted: (one: Line<JudgedQuestion>) => boolean) =>
    wilson95(among.filter(counted).length, among.length);
  const open = results.filter(({ expected }) => expected === 'unclear');
  const leveled = results.filter(({ level: statedLevel }) => statedLevel !== null);
  const total = (value: (one: JudgedQuestion) => number) => results.reduce((sum, one) => sum + value(one), 0);
  const passages = total(({ deciding }) => deciding.all);
  return {
    'deciding passages whose source is cited': wilson95(
      total(({ deciding }) => deciding.cited),
      passages,
    ),
    'deciding passages quoted word for word': wilson95(
      total(({ deciding }) => deciding.quoted),
      passages,
    ),
    'reports surer than the label': shareOf(leveled, isTooSure),
    'labelled unclear, acted on': shareOf(open, ({ run }) => run.disposition === 'act'),
    'without a report': shareOf(results, ({ error }) => error !== null),
  };
}

function resultMeasures(results: readonly JudgedQuestion[], unseen: boolean) {
  const deviations = results.filter(
    (one) => one.answer !== one.expected || isTooSure(one) || one.deciding.quoted < one.deciding.all,
  );
  const answered = results.filter(({ answer }) => answer !== null);
  const right = wilson95(
    answered.filter(({ answer, expected }) => answer === expected).length,
    answered.length,
  );
  return {
    values: {
      questions: results.length,
      answered: answered.length,
      right,
      ...(unseen ? {} : { otherwise: deviations }),
    },
    lines: [
      `${results.length} questions: ${answered.length} answered, as labelled ${intervalRate(right)}`,
      ...(unseen
        ? []
        : table(
            'Not as labelled, surer than the label, or without a deciding passage',
            ['question', 'label', 'answer', 'level', 'score', 'deciding passages', 'quoted'],
            deviations.map((one) => [
              one.id,
              `${one.expected} ${one.expectedLevel}`,
              one.answer ?? 'none',
              one.level ?? one.error ?? 'none',
              one.score ?? '-',
              one.deciding.all,
              one.deciding.quoted,
            ]),
          )),
    ],
  };
}

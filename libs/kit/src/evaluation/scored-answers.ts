import { share, wilson95, type Interval } from './figures.js';

/** A label, and the verdict's answer to the same question. */
export interface ScoredAnswer {
  expected: string;
  /**
   * Answer in the words of the labels; null: the verdict leaves the question open, or there is no verdict.
   */
  answer: string | null;
  /** BCP 47 tag; null: the set does not state a language. */
  language: string | null;
  /** Probability, 0 to 1, that the answer is right, as the verdict states it; null: it states none. */
  confidence: number | null;
}

/** Figures of one class of labels. */
export interface ClassFigures {
  labels: number;
  answers: number;
  /** Share of the answers of this class that are right. */
  precision: Interval;
  /** Share of the labels of this class that were answered with this class. */
  recall: Interval;
  /** Harmonic mean of precision and recall; null if one of them is unknown. */
  f1: number | null;
}

/** Agreement of the answers with the labels. */
export interface AnswerFigures {
  labels: number;
  /** Accuracy over all questions. An open question counts as wrong. */
  right: Interval;
  /** Accuracy over the answered questions. */
  rightOfAnswered: Interval;
  /** Questions left open. */
  abstained: Interval;
  classes: Record<string, ClassFigures>;
}

/** Returns accuracy, and precision and recall of each class, with 95 % intervals after Wilson. */
export function answerFigures(marks: readonly ScoredAnswer[]): AnswerFigures {
  const answered = marks.filter(({ answer }) => answer !== null);
  const right = answered.filter(isRight).length;
  const names = [
    ...new Set(marks.flatMap(({ expected, answer }) => (answer === null ? [expected] : [expected, answer]))),
  ];
  return {
    labels: marks.length,
    right: wilson95(right, marks.length),
    rightOfAnswered: wilson95(right, answered.length),
    abstained: wilson95(marks.length - answered.length, marks.length),
    classes: Object.fromEntries(names.sort().map((name) => [name, classFigures(name, marks)])),
  };
}

export function isRight({ expected, answer }: Pick<ScoredAnswer, 'expected' | 'answer'>): boolean {
  return expected === answer;
}

function classFigures(name: string, marks: readonly ScoredAnswer[]): ClassFigures {
  const labels = marks.filter(({ expected }) => expected === name);
  const answers = marks.filter(({ answer }) => answer === name);
  const right = labels.filter(isRight).length;
  const f1 = share(2 * right, labels.length + answers.length);
  return {
    labels: labels.length,
    answers: answers.length,
    precision: wilson95(right, answers.length),
    recall: wilson95(right, labels.length),
    f1: labels.length === 0 || answers.length === 0 ? null : f1,
  };
}

/** Counts answers per label; `none`: the question was left open. */
export function confusion(marks: readonly ScoredAnswer[]): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {};
  for (const { expected, answer } of marks) {
    const row = (table[expected] ??= {});
    row[answer ?? 'none'] = (row[answer ?? 'none'] ?? 0) + 1;
  }
  return table;
}

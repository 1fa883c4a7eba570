import { share, wilson95, type Interval } from './figures.js';

/** A label and the answer that a verdict gives to the same question. */
export interface Mark {
  expected: string;
  /** In the words of the labels; null: the verdict leaves the question open, or there is no verdict. */
  answer: string | null;
  /** BCP 47; null: the set does not say. */
  language: string | null;
  /** Probability, 0 to 1, that the verdict gives to its answer being right; null: it states none. */
  confidence: number | null;
}

/** One class of labels. */
export interface ClassFigures {
  labels: number;
  answers: number;
  /** Of the answers of this class, those that are right. */
  precision: Interval;
  /** Of the labels of this class, those that were answered so. */
  recall: Interval;
  /** Harmonic mean of both; null if one of them is not known. */
  f1: number | null;
}

/** How the answers agree with the labels. */
export interface AnswerFigures {
  labels: number;
  /** Accuracy: an open question counts as not right. */
  right: Interval;
  /** Accuracy over the questions that were answered. */
  rightOfAnswered: Interval;
  /** Questions that were left open. */
  abstained: Interval;
  classes: Record<string, ClassFigures>;
}

/** Returns accuracy, and precision and recall of each class, with 95 % intervals after Wilson. */
export function answerFiguresOf(marks: readonly Mark[]): AnswerFigures {
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
    classes: Object.fromEntries(names.sort().map((name) => [name, classFiguresOf(name, marks)])),
  };
}

export function isRight({ expected, answer }: Pick<Mark, 'expected' | 'answer'>): boolean {
  return expected === answer;
}

function classFiguresOf(name: string, marks: readonly Mark[]): ClassFigures {
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

/** Counts of label against answer; `none`: the question was left open. */
export function confusion(marks: readonly Mark[]): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {};
  for (const { expected, answer } of marks) {
    const row = (table[expected] ??= {});
    row[answer ?? 'none'] = (row[answer ?? 'none'] ?? 0) + 1;
  }
  return table;
}

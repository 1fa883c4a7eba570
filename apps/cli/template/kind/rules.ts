import { parseInput } from '@casefile/kit';
import type { RuleAnswer, Rules } from '@casefile/kit';
import { inputSchema } from './input.ts';
import { options } from './options.ts';

/** Judges the amount without a model: it is small, medium or large. */
const answer: RuleAnswer = ({ brief }, _unit, settings) => {
  const { amount } = parseInput(inputSchema, brief.input, 'input');
  const { reviewFrom, stopFrom } = options.read(settings.options);
  const [size, limit] =
    amount >= stopFrom
      ? ['large', `at least the limit of ${stopFrom}`]
      : amount >= reviewFrom
        ? ['medium', `at least the limit of ${reviewFrom}`]
        : ['small', `below the limit of ${reviewFrom}`];
  return {
    answer: { size },
    explanation: `The amount, ${amount}, is ${limit}.`,
    claims: [],
    evidenceUsed: [],
    remarks: [],
    confidence: 1,
    confidenceSource: 'heuristic',
    method: 'heuristic',
  };
};

export const rules: Rules = { answer };

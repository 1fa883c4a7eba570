import type { ModelRequest } from '@casefile/contracts';
import { estimateTextTokens } from '@casefile/llm';
import { asksToExamine } from '../trust-run/examiner.js';
import type { Kind, TrustCase } from '../trust-run/trust-case.js';
import type { TrustWorld } from '../trust-run/trust-world.js';

/** Tokens of the examinations of one kind, by the estimate that budgets use. */
export interface ExaminationTokens {
  examinations: number;
  input: number;
  output: number;
}

/** Counts the tokens of cross-examinations. Give `observe` to a world. */
export class TokenCount {
  private sums: ExaminationTokens = { examinations: 0, input: 0, output: 0 };

  readonly observe = (request: ModelRequest, content: string): void => {
    if (!asksToExamine(request)) return;
    this.sums.examinations += 1;
    this.sums.input += request.messages.reduce((sum, { content: text }) => sum + estimateTextTokens(text), 0);
    this.sums.output += estimateTextTokens(content);
  };

  /** Judges cases and returns the tokens of their examinations. */
  async of(world: TrustWorld, cases: readonly TrustCase[]): Promise<ExaminationTokens> {
    this.sums = { examinations: 0, input: 0, output: 0 };
    for (const one of cases) await world.judge(one, 'labels');
    return this.sums;
  }
}

/** Returns one line on what planted claims add to an examination of a kind; null: the kind examines nothing. */
export function plantedLine(kind: Kind, planted: ExaminationTokens, none: ExaminationTokens): string | null {
  if (planted.examinations === 0 || none.examinations === 0) return null;
  const each = ({ input, output, examinations }: ExaminationTokens) => [
    input / examinations,
    output / examinations,
  ];
  const [[input, output], [inputWithout, outputWithout]] = [each(planted), each(none)] as [
    [number, number],
    [number, number],
  ];
  const added = `${Math.round(input - inputWithout)} input and ${Math.round(output - outputWithout)} output tokens`;
  const without = `${Math.round(inputWithout)} and ${Math.round(outputWithout)}`;
  return `${kind}: planted claims add ${added} to an examination of ${without} (${planted.examinations} examinations)`;
}

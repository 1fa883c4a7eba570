import { criterionResultSchema } from '@casefile/contracts';
import type { ShownRun } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';
import type { RunSection } from '@casefile/kit/command-line/run-section';

/** Maximum characters of a thought in the output. */
const THOUGHT_WIDTH = 160;

/** The calls and the thought of each turn of a check. */
export const turns: RunSection = {
  title: 'turns',
  lines: ({ artifacts }) => artifacts.flatMap(turnLines),
};

function turnLines({ artifact, unit, body }: ShownRun['artifacts'][number]): string[] {
  const result = criterionResultSchema.safeParse(artifact === 'draft' ? body['answer'] : null);
  if (!result.success) return [];
  const of = unit === '' ? '' : `[${oneLine(unit)}] `;
  return result.data.trace.map(({ iteration, thought, actions }) => {
    const called = actions.map(({ tool }) => oneLine(tool)).join(', ') || 'no tool';
    return `${of}${iteration}  ${called}  ${excerpt(thought, THOUGHT_WIDTH)}`;
  });
}

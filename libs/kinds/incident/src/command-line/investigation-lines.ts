import { incidentResultSchema, reviewSchema, withoutRemovedClaims } from '@casefile/contracts';
import type { ShownRun } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';
import type { RunSection } from '@casefile/kit/command-line/run-section';

const WIDTH = 160;

/** The result of each round, the supported and the excluded causes, and the failed look-ups. */
export const investigation: RunSection = {
  title: 'investigation',
  lines: ({ artifacts }) => artifacts.flatMap((record) => linesOf(record, artifacts)),
};

type Artifacts = ShownRun['artifacts'];

function linesOf({ artifact, body }: Artifacts[number], artifacts: Artifacts): string[] {
  const read = incidentResultSchema.safeParse(artifact === 'draft' ? body['answer'] : null);
  if (!read.success) return [];
  const review = artifacts.filter((record) => record.artifact === 'review').at(-1)?.body;
  const examined = reviewSchema.safeParse(review).data?.crossExamination;
  const { partial, hypotheses, ruledOut, gaps } = withoutRemovedClaims(read.data, examined);
  return [
    ...partial.map(({ round, text }) => `round ${round}  ${excerpt(text, WIDTH)}`),
    ...hypotheses.map(
      ({ cause, probability, citations }) =>
        `${Math.round(probability * 100)} %  ${excerpt(cause, WIDTH)}  [${citations.map(({ id }) => oneLine(id)).join(', ')}]`,
    ),
    ...ruledOut.map(({ cause }) => `ruled out  ${excerpt(cause, WIDTH)}`),
    ...gaps.map((gap) => `gap  ${excerpt(gap, WIDTH)}`),
  ];
}

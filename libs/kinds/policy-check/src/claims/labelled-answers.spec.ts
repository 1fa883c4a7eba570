import { aRunSettings } from '@casefile/contracts/testing';
import { contradicting } from '@casefile/pipeline/parts/contradicting';
import { comparing } from '@casefile/pipeline/claims/comparing';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { contradictions } from '../contradictions.js';
import { verifiedCitations } from '../review.js';
import { ruledAnswer } from '../rules/check-by-rules.js';
import { unitStanding } from '../standing-result.js';
import { labelledAnswers, type LabelledAnswer } from '../testing/labelled-answers.js';
import { typedClaims } from './typed-claims.js';

const settings = aRunSettings();
const critique = contradicting(contradictions, comparing(typedClaims, verifiedCitations));

/** Returns the answer as it stands after its review by an examiner that is the same model and agrees. */
async function standingOf({ input, result }: LabelledAnswer) {
  const outcome = await critique(input, fakePorts({ settings }));
  if (!('artifact' in outcome)) throw new Error(`it ended in ${outcome.kind}`);
  const review = outcome.artifact;
  const quoted = result.citations.find((one) => one.kind === 'quote');
  const isRuled = ruledAnswer(input, 'c1')?.status === result.status;
  const claim = {
    id: 'C1',
    text: result.rationale,
    sources: [quoted?.title ?? ''],
    answer: 'supports' as const,
    quote: { source: quoted?.title ?? '', words: quoted?.quote ?? '' },
  };
  const examined = { crossExamination: { claims: [claim], failed: null, promptId: 'cross-examination' } };
  return unitStanding(
    { unit: 'c1', ...input, review: { ...review, ...(isRuled ? {} : examined) } },
    result,
    settings,
  );
}

async function judged(set: Parameters<typeof labelledAnswers>[0]) {
  const rows: (LabelledAnswer & { standing: Awaited<ReturnType<typeof standingOf>>; isDecided: boolean })[] =
    [];
  for (const one of labelledAnswers(set)) {
    const standing = await standingOf(one);
    rows.push({ ...one, standing, isDecided: standing.result.status !== 'UNCERTAIN' });
  }
  const shown = ({ id, result, standing }: (typeof rows)[number]) =>
    `${id} ${result.claimed?.status ?? result.status}: ${result.rationale} ${standing.against.join(' ')}`;
  return {
    wrong: rows.filter(({ isHonest }) => !isHonest).length,
    accepted: rows.filter(({ isHonest, isDecided }) => !isHonest && isDecided).map(shown),
    lost: rows
      .filter(
        ({ isHonest, isDecided, result }) =>
          isHonest && !isDecided && (result.claimed?.status ?? result.status) !== 'UNCERTAIN',
      )
      .map(shown),
  };
}

describe('T-42 labelled answers whose examiner is the same model and agrees', () => {
  it('accepts at most a fifth of the wrong answers of the sorts, and loses at most 3 % of the right ones', async () => {
    const { wrong, accepted, lost } = await judged('sorts');
    if (process.env['SHOW'] === 'answers')
      process.stdout.write(`${[`${accepted.length} of ${wrong}`, ...accepted, '', ...lost].join('\n')}\n`);
    expect(accepted.length).toBeLessThanOrEqual(wrong / 5);
    expect(lost.length).toBeLessThanOrEqual(wrong * 0.03);
  });

  it('loses at most 3 % of the right answers of the set without sorts', async () => {
    const { wrong, accepted, lost } = await judged('policy-check');
    if (process.env['SHOW'] === 'answers')
      process.stdout.write(`${[`${accepted.length} of ${wrong}`, ...accepted, '', ...lost].join('\n')}\n`);
    expect(accepted.length).toBeLessThanOrEqual(wrong / 3);
    expect(lost.length).toBeLessThanOrEqual(5);
  });
});

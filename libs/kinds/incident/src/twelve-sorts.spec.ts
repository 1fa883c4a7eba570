import { readFileSync } from 'node:fs';
import { CasefileError, type Verdict } from '@casefile/contracts';
import {
  examinerSays,
  judgeByRulesAlone,
  judgeInvestigation,
  type Investigated,
} from './testing/incident-verdicts.js';
import { aMonitoredAlert } from './testing/incident-builders.js';
import { sortPairs } from './testing/twelve-sorts.js';

/** An examiner that is the same model: it supports each claim with the quote of the answer. */
const agrees = (one: Investigated): Investigated => {
  const { hypotheses = [], falseAlarm = null } = one.analysis;
  const answers = [
    ...hypotheses.map(({ citations }, i) => [`C${i + 1}`, citations[0]!.quote] as const),
    ...(falseAlarm === null ? [] : [['F1', falseAlarm.citations[0]!.quote] as const]),
  ];
  return {
    ...one,
    examiner: [
      examinerSays(Object.fromEntries(answers.map(([id, quote]) => [id, ['supports', quote] as const]))),
    ],
  };
};
const isOut = (one: Investigated): Investigated => ({
  ...one,
  examiner: [new CasefileError('timeout', 'no answer')],
});
const verdictOf = async (one: Investigated): Promise<Verdict> => (await judgeInvestigation(one)).verdict;
const causesIn = ({ outcome }: Verdict) =>
  (outcome['hypotheses'] as { cause: string }[]).map(({ cause }) => cause);
const pairs = sortPairs().map((one) => [one.sort, one.language, one] as const);

describe('T-42 causes of the twelve sorts', () => {
  it.each(pairs.filter(([, , { of }]) => of === 'cause'))(
    '%s (%s)',
    async (_, _language, { wrong, honest }) => {
      const stated = wrong.analysis.hypotheses![0]!.cause;
      for (const arm of [agrees(wrong), isOut(wrong)]) {
        const verdict = await verdictOf(arm);
        expect(causesIn(verdict)).toEqual([]);
        expect(verdict.reasons[0]).not.toContain(stated);
        expect(String(verdict.outcome['summary'])).not.toContain(stated);
      }
      const kept = await verdictOf(agrees(honest));
      expect(kept).toMatchObject({ disposition: 'act', outcome: { action: 'page' } });
      expect(causesIn(kept)).toEqual([honest.analysis.hypotheses![0]!.cause]);
    },
  );
});

describe('T-42 false alarms of the twelve sorts', () => {
  it.each(pairs.filter(([, , { of }]) => of === 'false-alarm'))(
    '%s (%s)',
    async (_, _language, { wrong, honest }) => {
      for (const arm of [agrees(wrong), isOut(wrong)])
        expect((await verdictOf(arm)).disposition).not.toBe('dismiss');
      expect(await verdictOf(agrees(honest))).toMatchObject({ disposition: 'dismiss' });
    },
  );
});

type Quoted = [string, string][];
interface Scenario {
  id: string;
  alert: [string, string];
  labels: Record<string, string>;
  reads: [string, string, string][];
  honest: { summary: string; causes?: [string, number, Quoted][]; falseAlarm?: Quoted; confidence: number }[];
}
const scenariosOf = (name: string): Scenario[] =>
  readFileSync(new URL(`../../../../samples/eval/trust/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Scenario);

function honestCases(name: string): { id: string; one: Investigated }[] {
  const citations = (quotes: Quoted) =>
    quotes.map(([id, quote]) => ({ id: `E${Number(id.slice(1)) + 1}`, quote }));
  return scenariosOf(name).flatMap(({ id, alert: [alertname, summary], labels, reads, honest }) =>
    honest.map(({ causes = [], falseAlarm, ...analysis }, i) => ({
      id: `${id}-${i + 1}`,
      one: {
        labels: { alertname, severity: 'warning', service: '', instance: '', ...labels },
        alert: { annotations: { summary }, startsAt: '2026-03-02T09:00:00Z' },
        lookUps: reads.map(([tool, subject, text]) => [tool, { subject }, text] as const),
        analysis: {
          summary: analysis.summary,
          confidence: analysis.confidence,
          hypotheses: causes.map(([cause, probability, quotes]) => ({
            cause,
            probability,
            citations: citations(quotes),
          })),
          falseAlarm: falseAlarm === undefined ? null : { is: true, citations: citations(falseAlarm) },
          impact: { now: true, what: 'not known' },
        },
      },
    })),
  );
}

describe('honest answers of the trust sets', () => {
  it('T-42 keep their causes: none is contradicted, and at most two of 54 are not confirmed', async () => {
    const contradicted: string[] = [];
    const unconfirmed: string[] = [];
    const cases = honestCases('incident-firing');
    for (const { id, one } of cases) {
      const { review, verdict } = await judgeInvestigation(agrees(one));
      for (const claim of review.claims ?? [])
        if (claim.result === 'contradicted')
          contradicted.push(
            `${id}: ${claim.text} ${JSON.stringify(claim.parts.filter(({ result }) => result === 'contradicted'))}`,
          );
      if (causesIn(verdict).length === 0) unconfirmed.push(`${id}: ${one.analysis.hypotheses![0]!.cause}`);
    }
    expect(contradicted).toEqual([]);
    // For example, one cites no line on what it names, and one loses a quote of one word.
    expect(cases).toHaveLength(54);
    expect(unconfirmed.length).toBeLessThanOrEqual(2);
  });

  it('T-42 keep their false alarms', async () => {
    const lost: string[] = [];
    for (const { id, one } of honestCases('incident-false-alarms')) {
      const { disposition, reasons } = await verdictOf(agrees(one));
      if (disposition !== 'dismiss') lost.push(`${id}: ${reasons[0]}`);
    }
    expect(lost).toEqual([]);
  });

  it('T-35 pages each critical alert without any look-up', () => {
    for (const {
      alert: [alertname, summary],
      labels,
    } of [...scenariosOf('incident-firing'), ...scenariosOf('incident-false-alarms')]) {
      const sent = aMonitoredAlert(
        { alertname, severity: 'critical', ...labels },
        { annotations: { summary } },
      );
      expect(judgeByRulesAlone(sent)).toMatchObject({ disposition: 'act', outcome: { action: 'page' } });
    }
  });

  it('T-35 pages each critical alert if its look-ups fail, are empty or name no cause', async () => {
    for (const {
      alert: [alertname, summary],
      labels,
    } of scenariosOf('incident-firing').slice(0, 8))
      for (const text of ['', '[]', 'no results found'])
        for (const cause of [
          [],
          [
            {
              cause: 'The network is broken.',
              probability: 0.9,
              citations: [{ id: 'E2', quote: 'no results found' }],
            },
          ],
        ]) {
          const { verdict } = await judgeInvestigation({
            labels: { alertname, severity: 'critical', ...labels },
            alert: { annotations: { summary } },
            lookUps: [['cluster__logs', {}, { text }]],
            analysis: { hypotheses: cause, impact: { now: false, what: 'nothing' }, confidence: 0.9 },
            examiner: [examinerSays({ C1: ['supports', 'no results found'] })],
          });
          expect(verdict).toMatchObject({
            disposition: 'act',
            outcome: { action: 'page', hypotheses: [] },
            confidence: 0.6,
          });
        }
  });
});

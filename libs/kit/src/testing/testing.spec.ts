import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CasefileError, done, revise, type AlertInput, type JsonObject } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { toyKind, toyRules } from '@casefile/pipeline/testing/toy-kind';
import {
  decisionRule,
  defineKind,
  defineOptions,
  definePrompt,
  fencedText,
  fromPayload,
  lookUps,
  readObject,
  singleShot,
  z,
  type DraftParts,
  type DraftQuestion,
  type Kind,
  type Playbook,
} from '../index.js';
import { answerProblems, hostileProblems, kindProblems, replayKind, runKind, type Script } from './index.js';

const TEXT = '<!-- section: system -->\nJudge.\n\n<!-- section: found -->\n{{found}}\n';
const PROMPT_FILE = join(temporaryFolder('kit'), 'answer@1.md');
writeFileSync(PROMPT_FILE, TEXT);
const prompt = definePrompt({
  id: 'toy/answer@1',
  file: pathToFileURL(PROMPT_FILE),
  sections: { system: [], found: ['found'] },
});
const options = defineOptions('toy', z.object({ deadlineMs: z.number().default(1_000) }));
const answerSchema = z.object({ size: z.enum(['small', 'large']) });
const draftOf = (answer: JsonObject): DraftParts => ({
  answer,
  explanation: '',
  claims: [],
  evidenceUsed: ['E1'],
  confidence: 0.5,
  confidenceSource: 'llm',
  method: 'llm',
  remarks: [],
});

/** How a kind of these tests differs from the right one. */
interface Change extends Partial<Playbook> {
  /** Whether the question shows results outside of the fence. */
  isOpen?: boolean;
  reads?: z.ZodObject;
}

/** A kind that asks one tool, then a model, and dismisses small things. */
function aKind({ isOpen = false, reads = answerSchema, ...over }: Change = {}): Kind {
  const question: DraftQuestion = {
    prompt,
    about({ evidence }, prompts) {
      const text = prompts.of(prompt);
      const found = JSON.stringify(evidence.items.map(({ result }) => result));
      return {
        id: text.id,
        kind: 'answer',
        level: 'high',
        system: text.render({ system: {} }),
        render: (mark) => text.render({ found: { found: isOpen ? found : fencedText(found, mark) } }),
        answer: { name: 'toy', schema: z.toJSONSchema(answerSchema) as JsonObject },
        maxOutputTokens: 100,
        read(content) {
          const read = readObject(reads, content);
          return 'value' in read ? { value: draftOf(read.value as JsonObject) } : read;
        },
      };
    },
  };
  return defineKind({
    playbook: {
      ...toyKind,
      options,
      tools: ['look'],
      triage: fromPayload(() => ({ text: 'a thing', input: {}, units: [] })),
      intake: {
        ...toyKind.intake,
        problems: ({ payload }) =>
          payload?.['bad'] ? [{ path: 'payload.bad', message: 'expected none' }] : [],
      },
      collect: lookUps({ plan: () => [{ tool: 'look', args: { at: 'shelf' } }], waitMs: () => 1_000 }),
      strategies: {
        ask: singleShot(question, toyRules, options),
        rules: toyKind.strategies['rules']!,
      },
      strategy: 'ask',
      decision: decisionRule({
        name: 'toy',
        decide: ({ unit }) => ({
          outcome: { size: unit.draft.answer['size'] ?? null },
          disposition:
            unit.draft.answer['size'] === 'small' || unit.draft.method === 'heuristic' ? 'dismiss' : 'act',
          reasons: [],
        }),
      }),
      ...over,
    },
  });
}

const ALERT: AlertInput = { payload: { thing: 'box' } };
const SCRIPT: Script = {
  model: [{ size: 'small' }],
  tools: { look: { answer: ({ at }) => ({ seenAt: at!, colour: 'red' }) } },
};
const careless = {
  name: 'toy',
  missing: () => ({ causes: [] }),
  decide: () => ({ outcome: {}, disposition: 'dismiss' as const, reasons: [] }),
};

describe('an alert that runs through the stages in one process', () => {
  it('has the verdict of the real stages, from scripted answers of a model and of tools', async () => {
    const { verdict, report, record, artifacts } = await runKind(aKind(), ALERT, SCRIPT);
    expect(verdict).toMatchObject({
      disposition: 'dismiss',
      method: 'llm',
      degraded: false,
      outcome: { size: 'small' },
    });
    expect(report.title).toBe('Toy');
    expect(record.answers.map(({ at }) => at)).toEqual(['/collect/1/2/tool/0', '/reason/1/model/1']);
    expect(artifacts.map(({ artifact }) => artifact)).toEqual([
      'brief',
      'evidence',
      'draft',
      'review',
      'report',
      'verdict',
    ]);
    expect(artifacts[1]?.body['items']).toMatchObject([
      { id: 'E1', success: true, result: { seenAt: 'shelf', colour: 'red' } },
    ]);
  });

  it('is degraded if a tool fails, and is judged by rules without a model', async () => {
    const out = () => {
      throw new CasefileError('timeout', 'no answer in time');
    };
    const failed = await runKind(aKind(), ALERT, { ...SCRIPT, tools: { look: { answer: out } } });
    expect(failed.verdict).toMatchObject({ disposition: 'review', degradedBy: ['lookups_failed'] });
    const { verdict } = await runKind(aKind(), ALERT, { tools: SCRIPT.tools! });
    expect(verdict).toMatchObject({ method: 'heuristic', degraded: false });
  });

  it('is refused by field, and a script without an answer is no fallback to the rules', async () => {
    const refused = async () => runKind(aKind(), { payload: { bad: true } }, SCRIPT);
    await expect(refused()).rejects.toMatchObject({ problems: [{ path: 'payload.bad' }] });
    await expect(runKind(aKind(), ALERT, { ...SCRIPT, model: [] })).rejects.toThrow(
      /no answer 1 of the model/,
    );
  });

  it('opens units, and has further rounds', async () => {
    const units = aKind({ triage: fromPayload(() => ({ text: '', input: {}, units: ['a', 'b'] })) });
    const split = await runKind(units, ALERT, { ...SCRIPT, model: () => ({ size: 'large' }) });
    expect(split.artifacts.filter(({ artifact }) => artifact === 'draft').map(({ unit }) => unit)).toEqual([
      'a',
      'b',
    ]);
    const review = { ruling: 'PASS' as const, findings: [], reviewer: 'again' };
    const again = aKind({
      maxRounds: 2,
      critique: async (_input, { run }) => (run.round === 1 ? revise(review) : done(review)),
    });
    const { artifacts, verdict } = await runKind(again, ALERT, {
      ...SCRIPT,
      model: [{ size: 'small' }, { size: 'large' }],
    });
    expect(artifacts.filter(({ artifact }) => artifact === 'draft').map(({ round }) => round)).toEqual([
      1, 2,
    ]);
    expect(verdict.outcome).toEqual({ size: 'large' });
  });
});

describe('a replay', () => {
  it('has the same verdict, from the recorded answers alone', async () => {
    let calls = 0;
    const counted: Script = { ...SCRIPT, model: () => ((calls += 1), { size: 'large' }) };
    const run = await runKind(aKind(), ALERT, counted);
    const { verdict, report } = await replayKind(aKind(), run);
    expect({ verdict, report, calls }).toEqual({ verdict: run.verdict, report: run.report, calls: 1 });
  });

  it('fails if the kind asks something else than it recorded', async () => {
    const run = await runKind(aKind(), ALERT, SCRIPT);
    const other = aKind({
      collect: lookUps({ plan: () => [{ tool: 'look', args: { at: 'floor' } }], waitMs: () => 1 }),
    });
    const replay = replayKind(other, run).then(({ verdict }) => verdict.degradedBy);
    await expect(replay).rejects.toMatchObject({ reasonCode: 'evidence_miss' });
  });
});

describe('checks of a kind', () => {
  it('find nothing wrong with a right one', async () => {
    expect(kindProblems(aKind())).toEqual([]);
    expect(answerProblems(await runKind(aKind(), ALERT, SCRIPT))).toEqual([]);
    expect(await hostileProblems(aKind(), ALERT, SCRIPT)).toEqual([]);
  });

  it('find wrong fields, prompts and a missing strategy without a model', () => {
    const renamed = aKind({ name: 'Toy' });
    expect(kindProblems(renamed)).toEqual([
      expect.stringMatching(/default\.playbook\.name: expected a lower-case/),
    ]);
    const { ask } = aKind().playbook.strategies;
    expect(kindProblems(aKind({ name: 'other', strategies: { ask: ask! } }))).toEqual([
      expect.stringContaining('has no strategy that asks no model'),
      'toy/answer@1: expected an id that begins with other/',
    ]);
  });

  it('find an answer that was read although it does not fit the schema', async () => {
    const loose = aKind({ reads: z.object({ size: z.string() }) });
    const run = await runKind(loose, ALERT, { ...SCRIPT, model: [{ size: 'huge' }] });
    expect(answerProblems(run)).toEqual(['toy: the kind read an answer that does not fit its schema']);
  });

  it('find a kind that fails on one text of a payload whose other texts it checks', async () => {
    const strict = aKind({
      intake: {
        ...aKind().playbook.intake,
        problems: ({ payload }) =>
          payload?.['code'] === 'A1' ? [] : [{ path: 'payload.code', message: 'expected A1' }],
      },
      triage: fromPayload(({ payload }) => ({
        text: String(payload?.['thing']).match(/b.x/)![0],
        input: {},
        units: [],
      })),
    });
    const problems = await hostileProblems(strict, { payload: { code: 'A1', thing: 'box' } }, SCRIPT);
    expect(problems.join('\n')).toMatch(/payload\.thing has instructions .*: expected a verdict, found: /);
    expect(problems.join('\n')).not.toMatch(/payload\.code/);
  });

  it.each<[string, Change, RegExp]>([
    [
      'dismisses a case although something was missing',
      { decision: decisionRule(careless) },
      /look fails: the case is dismissed/,
    ],
    [
      'believes evidence of the sender under the name of a tool',
      {
        decision: decisionRule({
          name: 'believing',
          decide: ({ unit }) => ({
            outcome: {},
            disposition: JSON.stringify(unit.evidence.items).includes('red') ? 'dismiss' : 'act',
            reasons: [],
          }),
        }),
      },
      /evidence of the sender that is named look makes the verdict dismiss: use ownItems/,
    ],
    [
      'shows a text of a tool outside of the fence',
      { isOpen: true },
      /look returns instructions .*: toy\/answer@1 has it outside/,
    ],
    [
      'fails on other results',
      {
        write: ([{ evidence }]) => ({
          title: (evidence.items[0]!.result as { colour: string }).colour.match(/r.d/)![0],
          markdown: '',
          citations: [],
        }),
      },
      /look returns no text: expected a verdict, found: /,
    ],
  ])('find a kind that %s, with hostile evidence', async (_what, change, problem) => {
    const problems = await hostileProblems(aKind(change), ALERT, SCRIPT);
    expect(problems.join('\n')).toMatch(problem);
  });
});

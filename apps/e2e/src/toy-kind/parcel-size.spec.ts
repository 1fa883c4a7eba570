import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleWith } from '@casefile/console/console';
import {
  caseListSchema,
  engagementListSchema,
  playbookListSchema,
  shownCaseSchema,
  type JsonObject,
} from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { readConfig, startService, type RunningService } from '@casefile/runtime';
import { answeringModel } from '../testing/answering-model.js';
import { runCasefile } from '../testing/run-casefile.js';
import { realWorld, testEnvironment, type World } from '../testing/world.js';
import { parcelSize } from './parcel-size/index.js';

/** Kinds of the process. A deployment adds a kind of its own as a value, and needs nothing else. */
const KINDS = [...kinds, defineKind({ playbook: parcelSize })];
const parcel = (longestCm: number, contents = 'a lamp') => ({
  payload: { parcel: { contents, sidesCm: [longestCm, 20, 10] } },
});

describe('a kind of case that Casefile has never heard of, added as one value', () => {
  let world: World;
  let service: RunningService;
  const answer = { size: 'large', confidence: 0.8, why: 'A lamp of that length is bulky.' };
  beforeAll(async () => {
    world = await realWorld('inline', answeringModel(JSON.stringify(answer)), {}, KINDS);
    service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
  });
  afterAll(async () => {
    await service.close();
    await world.close();
  });

  const read = async (path: string): Promise<unknown> => (await fetch(`${service.url}/api/v1${path}`)).json();
  const judgeAndShow = async (alert: JsonObject) =>
    shownCaseSchema.parse(await read(`/cases/${(await judgeCase(alert)).id}`));
  const judgeCase = async (alert: JsonObject) => world.ended((await world.accept(alert)).caseId);

  it('is taken in by what it matches, asked of a model, and decided by its own rule', async () => {
    const { playbook, runs } = await judgeAndShow(parcel(120));
    const [run] = runs;
    expect(playbook).toBe('parcel-size');
    expect(run).toMatchObject({ status: 'decided', lane: 'live' });
    expect(run?.interactions.map(({ promptId }) => promptId)).toEqual(['parcel-size/answer@1']);
    expect(run?.verdict).toMatchObject({
      outcome: { way: 'courier', size: 'large' },
      disposition: 'act',
      method: 'llm',
      degraded: false,
    });
  });

  it('refuses an alert of this kind that lacks something, by its field', async () => {
    const act = world.platform.intake.accept({
      playbook: 'parcel-size',
      payload: { parcel: { sidesCm: [] } },
    });
    await expect(act).rejects.toMatchObject({
      problems: expect.arrayContaining([
        { path: 'payload.parcel.contents', message: 'expected what is in it' },
      ]),
    });
  });

  it('is listed with its rule and labels, and shown in its own words', async () => {
    const { caseId, runs } = await judgeAndShow(parcel(250));
    expect(runs[0]?.presentation).toMatchObject({
      word: 'freight',
      answer: 'large',
      summary: '250 cm long: freight',
      facts: [{ label: 'longest side, cm', value: '250' }],
      rule: parcelSize.presenting.rule,
      view: null,
    });
    const { cases } = caseListSchema.parse(await read('/cases?playbook=parcel-size'));
    expect(cases.find((entry) => entry.caseId === caseId)?.verdict).toMatchObject({
      word: 'freight',
      disposition: 'review',
    });
    const listed = playbookListSchema.parse(await read('/playbooks'));
    expect(listed.playbooks.find(({ name }) => name === 'parcel-size')).toEqual({
      name: 'parcel-size',
      title: 'Parcel size',
      answers: [],
      clarifies: false,
      version: '1',
      takes: ['payload'],
      tools: [],
      rule: parcelSize.presenting.rule,
      display: expect.objectContaining({ title: ['text'], sections: [], form: [] }),
      labels: { longestCm: 'longest side, cm' },
      view: null,
      settings: expect.objectContaining({ playbook: 'parcel-size', policy: 'by-size' }),
    });
  });

  it('is criticised by a wrapper of its own around a stage part', async () => {
    const reviewOf = async (longestCm: number) => {
      const { runs } = await judgeAndShow(parcel(longestCm));
      return runs[0]?.artifacts.find(({ artifact }) => artifact === 'review')?.body;
    };
    expect(await reviewOf(140)).toMatchObject({ ruling: 'PASS', findings: [] });
    expect(await reviewOf(600)).toMatchObject({
      ruling: 'WARN',
      findings: [expect.objectContaining({ code: 'implausible_sides' })],
    });
  });

  it('has the effects that it declares', async () => {
    const { caseId } = await judgeAndShow(parcel(130));
    const { engagements } = engagementListSchema.parse(await read('/engagements'));
    const session = engagements.find((one) => one.caseId === caseId);
    expect(session).toMatchObject({ stage: 'called', action: 'call-courier', confidence: 0.8 });
  });

  it('is printed by the command line in its own words', async () => {
    const file = join(temporaryFolder('toy'), 'alert.json');
    writeFileSync(file, JSON.stringify(parcel(90, 'a chair')));
    const at = ['--console', service.url, '--ingest', world.ingestUrl ?? ''];
    const submitted = await runCasefile('submit', file, '--wait', ...at);
    expect(submitted).toMatchObject({ code: 0, errors: ['alert 1: parcel-size: Its payload has a parcel.'] });
    expect(submitted.lines).toHaveLength(1);
    expect(submitted.lines[0]).toMatch(/courier .*large .*0\.80 .*model .*parcel-size .*90 cm long/);
    const caseId = /cases\/([0-9a-f-]{36})/.exec(submitted.lines[0] ?? '')?.[1] ?? '';
    const shown = await runCasefile('show', caseId, '--console', service.url);
    expect(shown).toMatchObject({ code: 0, errors: [] });
    expect(shown.lines.join('\n')).toMatch(
      /parcel-size[^]*courier {2}\(act\) {2}large {2}0\.80 \(llm\) {2}by model/,
    );
  });
});

describe('its settings', () => {
  const configured = (yaml: string) => {
    const path = join(temporaryFolder('toy'), 'own.yaml');
    writeFileSync(path, yaml);
    return () => readConfig(testEnvironment({ CASEFILE_CONFIG: path }), KINDS);
  };

  it('are read like those of any kind', () => {
    const config = configured('playbooks: { parcel-size: { strategy: rules, courierUpToCm: 80 } }')();
    expect(config.settings.playbooks['parcel-size']).toMatchObject({
      strategy: 'rules',
      options: { courierUpToCm: 80 },
    });
  });

  it('are refused where they are wrong', () => {
    expect(configured('playbooks: { parcel-size: { strategy: guess } }')).toThrow(
      /playbooks\.parcel-size\.strategy: expected one of single-shot, rules/,
    );
    expect(configured('playbooks: { parcel: {} }')).toThrow(/expected one of .*parcel-size/);
  });

  it('are not known to a process that was not told of the kind', () => {
    const path = join(temporaryFolder('toy'), 'own.yaml');
    writeFileSync(path, 'playbooks: { parcel-size: {} }');
    expect(() => readConfig(testEnvironment({ CASEFILE_CONFIG: path }), kinds)).toThrow(/no such playbook/);
  });
});

describe('without a model', () => {
  let world: World;
  beforeAll(async () => void (world = await realWorld('inline', null, {}, KINDS)));
  afterAll(() => world.close());

  it('is judged by its rules', async () => {
    const { runs } = await world.ended((await world.accept(parcel(40))).caseId);
    expect(runs[0]?.verdict).toMatchObject({
      outcome: { way: 'post', size: 'small' },
      method: 'heuristic',
      degraded: false,
      reasons: ['post: Its longest side is 40 cm.'],
    });
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { consoleWith } from '@casefile/console/console';
import type { CaseDocument } from '@casefile/contracts';
import { startService, type RunningService } from '@casefile/runtime';
import { fewOfEachKind, recordSamples } from './testing/recorded-samples.js';
import { realWorld, type World } from './testing/world.js';

let world: World;
let service: RunningService;
let cases: CaseDocument[];

beforeAll(async () => {
  world = await realWorld('inline', null);
  cases = await recordSamples(world, 1, fewOfEachKind(1));
  service = await startService(consoleWith({ dashboard: '/nowhere' }), world.platform);
});
afterAll(async () => {
  await service.close();
  await world.close();
});

async function casefile(...args: string[]): Promise<{ code: number; lines: string[]; errors: string[] }> {
  const terminal = memoryTerminal();
  const code = await run([...args, '--console', service.url], terminal);
  return { code, lines: terminal.lines, errors: terminal.errors };
}

describe('casefile feedback', () => {
  it('S4-59 U5 U9 keeps what each person says last of the verdict that a case shows, in the words of its kind', async () => {
    const kinds = world.platform.config.playbooks.filter(({ presenting }) => presenting.judged !== undefined);
    for (const {
      name,
      presenting: { judged },
    } of kinds) {
      const one = cases.find(({ playbook }) => playbook === name)!;
      const { outcome, disposition } = (await world.platform.store.record.getCase(one.id))!.runs.at(
        -1,
      )!.verdict!;
      const [[field, schema] = ['', undefined]] = Object.entries(judged!.shape);
      const other = (schema as unknown as { options: string[] }).options.find(
        (value) => value !== outcome[field],
      )!;
      expect((await casefile('feedback', one.id)).lines).toEqual(['No feedback on this verdict.']);
      const own = ['--outcome', `${field}=${String(outcome[field])}`];
      const agreed = await casefile('feedback', one.id, '--agree', '--by', 'ann');
      if (disposition === 'review') {
        expect([agreed.code, agreed.errors.join(' ')]).toEqual([1, expect.stringContaining(`${field} (`)]);
        const answered = await casefile('feedback', one.id, ...own, '--by', 'ann');
        expect(answered.lines[0]).toContain(`ann says ${field}=${String(outcome[field])}`);
      } else expect(agreed.lines[0]).toMatch(/ ann agrees$/);
      const said = await casefile(
        'feedback',
        one.id,
        '--outcome',
        `${field}=${other}`,
        '--by',
        'bob',
        '--note',
        'seen before',
        '--override',
      );
      expect(said.lines[0]).toContain(`bob says ${field}=${other}: seen before`);
      expect(said.lines).toHaveLength(2);
      const changed = await casefile('feedback', one.id, ...own, '--by', 'bob');
      expect(changed.lines).toHaveLength(2);
      const withdrawn = await casefile('feedback', one.id, '--withdraw', '--by', 'bob');
      expect(withdrawn.lines).toEqual([expect.stringContaining(' ann ')]);
      expect(await casefile('feedback', one.id, '--withdraw', '--by', 'bob')).toMatchObject({ code: 1 });
      const wrong = await casefile('feedback', one.id, '--outcome', `${field}=nonsense`, '--by', 'bob');
      expect([wrong.code, wrong.errors.join(' ')]).toEqual([1, expect.stringContaining(`outcome.${field}`)]);
    }
    expect(kinds.length).toBeGreaterThanOrEqual(4);
  });
});

describe('casefile dead-letters', () => {
  it('U28 lists an alert that was not accepted, and sends it on its way with an edited alert', async () => {
    const payload = { playbook: 'no-such-kind', text: 'Your parcel is held', source: 'sms-gateway' };
    const entry = { reasonCode: 'invalid_input', message: 'playbook is not known', payload };
    await world.platform.store.deadLetters.bury({ ...entry, id: 'letter-1' });
    const listed = await casefile('dead-letters', 'list', '--kind', 'alert', '--source', 'sms');
    expect(listed.lines).toEqual([
      expect.stringMatching(
        /^letter-1 {2}\S+ {2}from sms-gateway {2}The alert was not accepted: the input is not valid\. /,
      ),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'casefile-letter-'));
    const file = join(folder, 'alert.json');
    const redrive = () => casefile('dead-letters', 'redrive', 'letter-1', '--alert', file, '--by', 'ann');
    try {
      await writeFile(file, JSON.stringify({ ...payload, playbook: 'another' }));
      const refused = await redrive();
      expect([refused.code, refused.errors.join(' ')]).toEqual([1, expect.stringContaining('playbook')]);
      await writeFile(file, JSON.stringify({ ...payload, playbook: 'scam-verdict', collect: false }));
      const [line = ''] = (await redrive()).lines;
      const caseId = line.replace('redriven: case ', '');
      const [alert] = (await world.platform.store.record.getCase(caseId))!.alerts;
      expect(alert).toMatchObject({ text: payload.text, playbook: 'scam-verdict' });
      expect(await world.platform.store.deadLetters.edited('letter-1')).toMatchObject({
        caseId,
        payload,
        edited: { by: 'ann' },
      });
      expect((await casefile('dead-letters', 'list')).lines).toEqual(['There is no dead letter.']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

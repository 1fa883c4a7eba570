import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { PAGES, QUESTION, researchModel } from '../../testing/research-model.js';
import { realWorld, type World } from '../../testing/world.js';

const ROLES = ['clarification', 'analyst', 'analyst', 'critic', 'analyst', 'critic', 'examiner', 'writer'];

describe('a run that asks back', () => {
  let world: World;
  let model: ReturnType<typeof researchModel>;
  const start = async (waitMs: number) => {
    const folder = temporaryFolder('clarify');
    const [config, pages] = [join(folder, 'config.yaml'), join(folder, 'pages.json')];
    writeFileSync(pages, JSON.stringify(PAGES));
    writeFileSync(
      config,
      `evidence: { pages: '${pages}' }\nplaybooks: { research: { clarifyWaitMs: ${waitMs} } }\n`,
    );
    model = researchModel();
    world = await realWorld('inline', model, { CASEFILE_CONFIG: config });
  };
  afterEach(() => world.close());
  const accept = () => world.accept({ playbook: 'research', payload: { ...QUESTION, clarify: true } });
  const give = (caseId: string, option: string) =>
    world.platform.store.signals.give({ caseId, name: 'clarification', option, by: 'ops' });

  it('S5-25 waits without a slot or a lease, and continues once after the answer, also where the telling process dies', async () => {
    await start(600_000);
    const { store, stages, rerun } = world.platform;
    const { caseId, runId } = await accept();
    await until('the run asks', async () => (await store.record.getRun(runId))?.status === 'suspended');
    expect(stages.active).toBe(0);
    // The nudges are lost with the process: the sweeper finds what is due.
    const both = await Promise.all([give(caseId, 'reading-1'), give(caseId, 'reading-1')]);
    expect(both.map(({ repeated }) => repeated).sort()).toEqual([false, true]);
    const [run] = (await world.ended(caseId)).runs;
    expect(run).toMatchObject({
      id: runId,
      verdict: { disposition: 'act', outcome: { converged: true, rounds: 3 } },
    });
    expect(run?.verdict?.reasons).toContain('Its asker chose the reading “2025年”.');
    expect(model.calledRoles).toEqual(ROLES);
    await expect(give(caseId, 'as-asked')).rejects.toMatchObject({ reasonCode: 'conflict' });
    // Made again, it takes what was chosen and makes no call.
    const again = await rerun.open(caseId, { lane: 'replay', evidence: 'recorded' });
    await world.ended(caseId);
    expect((await store.record.getRun(again.runId))?.verdict?.outcome).toEqual(run?.verdict?.outcome);
    expect(model.calledRoles).toEqual(ROLES);
  });

  it('S5-25 continues as it was asked without an answer in time', async () => {
    await start(1_000);
    const [run] = (await world.ended((await accept()).caseId)).runs;
    expect(run?.verdict?.reasons.join(' ')).toContain('it is taken as it was asked');
    expect(run?.signals).toMatchObject([{ value: null, by: null }]);
  });
});

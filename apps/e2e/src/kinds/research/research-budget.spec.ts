import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { PAGES, QUESTION, researchModel } from '../../testing/research-model.js';
import { realWorld, type World } from '../../testing/world.js';

/** Room for a call at its worst case and the cost of the one before it, and no more. */
const LIMIT = 6_200;

const SUMMARY = 'session_summary.json';

describe('a research whose budget is reached', () => {
  let world: World;
  let log: string;
  const model = researchModel();
  beforeAll(async () => {
    const folder = temporaryFolder('budget');
    log = join(folder, 'log');
    const [config, pages] = [join(folder, 'config.yaml'), join(folder, 'pages.json')];
    writeFileSync(pages, JSON.stringify(PAGES));
    writeFileSync(
      config,
      `evidence: { pages: '${pages}' }\nbudgets: { case: { tokens: ${LIMIT} } }\ndelivery: { iterations: '${log}' }\n`,
    );
    world = await realWorld('inline', model, { CASEFILE_CONFIG: config });
  });
  afterAll(() => world.close());

  it('S5-01 waits in round 2, continues at the next step when it is raised, and pays for nothing twice', async () => {
    const { store } = world.platform;
    const { caseId, runId } = await world.accept({ playbook: 'research', payload: QUESTION });
    const parked = async () => (await store.record.getRun(runId))?.status === 'parked';
    await until('the run waits for its budget', parked);
    expect(await store.record.getRun(runId)).toMatchObject({ round: 2, reasonCode: 'budget_exhausted' });
    const before = [...model.calledRoles];
    await store.budgets.raise({ caseId, measure: 'tokens', amount: 100_000, by: 'ops' });
    const [run] = (await world.ended(caseId)).runs;
    expect(run?.verdict).toMatchObject({ disposition: 'act', degraded: false, outcome: { rounds: 3 } });
    expect(model.calledRoles.slice(0, before.length)).toEqual(before);
    expect(model.calledRoles).toEqual([
      'analyst',
      'analyst',
      'critic',
      'analyst',
      'critic',
      'examiner',
      'writer',
    ]);
    expect(run?.interactions.map(({ state }) => state)).toEqual(model.calledRoles.map(() => 'completed'));

    // S5-40: by a setting what each role was asked and answered is in files in addition to the record.
    await until('its rounds are written', () => existsSync(join(log, `電價4月是否調漲_${caseId}`, SUMMARY)));
    const files = readdirSync(join(log, `電價4月是否調漲_${caseId}`)).toSorted();
    expect(files).toEqual([
      'iteration_1_analyst.json',
      'iteration_2_analyst.json',
      'iteration_2_critic.json',
      'iteration_3_analyst.json',
      'iteration_3_critic.json',
      'iteration_3_examiner.json',
      'iteration_3_writer.json',
      SUMMARY,
    ]);
    const summary = readFileSync(join(log, `電價4月是否調漲_${caseId}`, SUMMARY), 'utf8');
    expect(JSON.parse(summary)).toMatchObject({
      total_iterations: 3,
      final_status: 'PASS',
      mode: 'discovery',
    });
  });
});

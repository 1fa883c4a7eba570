import type { RunDocument, ShownPromptText, ShownPromptVersion } from '@casefile/contracts';
import { FIVE_SERVICES, fiveServices, type FiveServices } from '../testing/five-services.js';
import { until } from '../testing/until.js';
import { ended } from '../testing/world.js';

const PROMPT = 'scam-verdict/answer';
/** Cases that are under way when the version becomes live. */
const IN_FLIGHT = 24;
/** Time of a call of the model, so that cases are under way. */
const CALL_MS = 500;

describe('a version that becomes live while cases are in flight in six processes', () => {
  let system: FiveServices;
  beforeAll(async () => {
    const services = [...FIVE_SERVICES, 'console'] as const;
    system = await fiveServices({ services, script: { delayMs: CALL_MS } });
    await system.start();
  }, 300_000);
  afterAll(() => system.close());

  const api = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${system.service('console').url}/api/v1${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  let parcels = 0;
  const alert = () => {
    parcels += 1;
    return {
      playbook: 'scam-verdict',
      text: `Your parcel ${parcels} is held, call +1 555 010 ${1_000 + parcels}`,
    };
  };
  const atIngest = () => system.alert(alert());
  const atConsole = async () => (await api<{ caseId: string }>('/alerts', alert())).caseId;
  /** Returns the version that a new run was frozen with, which is known before the run ends. */
  const frozenWith = async (caseId: string): Promise<string | undefined> =>
    (await system.store.record.getCase(caseId))?.runs[0]?.settings.promptIds['answer'];

  it('S4-58 each run has exactly one version, and new runs of every process have the new one', async () => {
    const [shipped] = (await api<{ versions: ShownPromptVersion[] }>(`/prompts/${PROMPT}`)).versions;
    const { text } = await api<ShownPromptText>(`/prompts/${PROMPT}/versions/${shipped!.version}`);
    const changed = {
      text: text.replace('Rules:', 'Weigh every piece twice.\n\nRules:'),
      message: 'twice',
      by: 'ann',
    };
    const added = await api<ShownPromptVersion>(`/prompts/${PROMPT}/versions`, changed);
    const before = await Promise.all(Array.from({ length: IN_FLIGHT }, atIngest));
    await until('some are asked', () => system.simulator.requests().length >= 4);
    const state = { state: 'live', by: 'ann', reason: 'better' };
    await api(`/prompts/${PROMPT}/versions/${added.version}/state`, state);
    const during: string[] = [];
    for (const accept of [atIngest, atConsole])
      await until('new runs have the version', async () => {
        const caseId = await accept();
        during.push(caseId);
        return (await frozenWith(caseId)) === added.id;
      });
    const after = await Promise.all([atIngest, atConsole, atIngest, atConsole].map((accept) => accept()));

    const runs: RunDocument[] = [];
    for (const caseId of [...before, ...during, ...after]) runs.push(...(await ended(system, caseId)).runs);
    const asked = ({ interactions }: RunDocument) => [
      ...new Set(interactions.map(({ promptId }) => promptId)),
    ];
    for (const run of runs) {
      expect(run.status).toBe('decided');
      expect(asked(run)).toEqual([run.settings.promptIds['answer']]);
      expect(run.verdict?.promptIds).toEqual(asked(run));
    }
    const versionOf = new Map(runs.map((run) => [run.caseId, run.settings.promptIds['answer']]));
    expect(before.map((caseId) => versionOf.get(caseId))).toEqual(before.map(() => shipped!.id));
    expect(after.map((caseId) => versionOf.get(caseId))).toEqual(after.map(() => added.id));
    const sent = system.simulator
      .requests()
      .map(({ body }) => JSON.stringify(body).includes('Weigh every piece twice.'));
    expect(sent.filter(Boolean).length).toBeGreaterThanOrEqual(after.length);
    expect(sent.filter((isNew) => !isNew).length).toBeGreaterThanOrEqual(before.length);
  }, 300_000);
});

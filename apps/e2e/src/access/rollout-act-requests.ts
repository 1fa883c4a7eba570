import { experimentFlag } from '@casefile/contracts';
import { pausedEvolution } from '../testing/paused-evolution.js';
import {
  ACT,
  TYPED,
  fresh,
  judgeCase,
  type ActEntry,
  type ActFacts,
  type ActRequest,
} from './act-request.js';

const experiment = () => ({
  name: `less certain ${fresh()}`,
  playbook: 'scam-verdict',
  mode: 'ab',
  share: 0.5,
  arms: [
    { name: 'control', settings: {} },
    { name: 'new', settings: { actFrom: 0.9 } },
  ],
  ...ACT,
});
async function created({ prepare }: ActFacts, ...acts: string[]): Promise<string> {
  const { id } = await prepare('/experiments', experiment());
  for (const one of acts) await prepare(`/experiments/${String(id)}/${one}`, ACT);
  return String(id);
}
const onExperiment =
  (acts: string[], body: object = {}): ActEntry['request'] =>
  async (facts) => {
    // One experiment of a kind runs at a time.
    await facts.store.database.rows(`update experiments set state = 'stopped' where state = 'running'`);
    return { params: { id: await created(facts, ...acts) }, body: { ...ACT, ...body } };
  };

const PROMPT = { playbook: 'scam-verdict', name: 'answer' };
async function newText({ read }: ActFacts): Promise<string> {
  const { versions } = (await read('/prompts/scam-verdict/answer')) as { versions: { version: number }[] };
  const { text } = await read(`/prompts/scam-verdict/answer/versions/${versions[0]?.version}`);
  return `${String(text)}\nWeigh every piece of evidence ${fresh()} times.\n`;
}
async function addedVersion(facts: ActFacts): Promise<string> {
  const text = await newText(facts);
  const { version } = await facts.prepare('/prompts/scam-verdict/answer/versions', {
    text,
    message: ACT.reason,
    by: TYPED,
  });
  return String(version);
}

// Copies of a verdict with labels: those that state 0.9 are right, and 30 % of those that state 0.6.
const LABELS = `
  with copies as (
    insert into verdict_figures
    select (jsonb_populate_record(v, jsonb_build_object('run_id', gen_random_uuid(),
      'confidence', case when i % 2 = 0 then 0.9 else 0.6 end, 'confidence_source', 'llm'))).*
    from verdict_figures v, generate_series(1, 240) i where v.run_id = (select run_id from verdict_figures limit 1)
    returning run_id, case_id, confidence)
  insert into feedback (id, case_id, run_id, agrees, outcome, "by", at)
  select gen_random_uuid(), case_id, run_id,
    confidence > 0.8 or row_number() over (partition by confidence) % 10 < 3, '{}', 'ann', now() from copies`;
async function labelled(facts: ActFacts): Promise<ActRequest> {
  const { store } = facts;
  const [{ n } = { n: 0 }] = await store.database.rows<{ n: number }>(
    `select count(*)::int as n from verdict_figures where confidence_source = 'llm'`,
  );
  if (n === 0) {
    await judgeCase(facts);
    for (let count = 1; count > 0;) count = await store.qualityFigures.note(10_000, 0);
    await store.database.rows(LABELS);
  }
  return { body: { playbook: 'scam-verdict', confidenceSource: 'llm', ...ACT } };
}

const onEvolution =
  (before: 'pause' | 'resume'): ActEntry['request'] =>
  async ({ store, prepare }) => {
    await store.database.rows(`update evolutions set state = 'stopped' where state in ('running', 'paused')`);
    const id = await pausedEvolution(store);
    if (before === 'resume') await prepare(`/evolutions/${id}/resume`, ACT);
    return { params: { id }, body: ACT };
  };

/** Requests of prompts, experiments, flags, recalibrations and evolutions. */
export const ROLLOUT_ACTS: Record<string, ActEntry> = {
  addPromptVersion: {
    request: async (facts) => ({
      params: PROMPT,
      body: { text: await newText(facts), message: ACT.reason, by: TYPED },
    }),
  },
  movePromptVersion: {
    request: async (facts) => ({
      params: { ...PROMPT, version: await addedVersion(facts) },
      body: { state: 'retired', ...ACT },
    }),
  },
  createExperiment: { request: async () => ({ body: experiment() }) },
  startExperiment: { request: onExperiment([]) },
  stopExperiment: { request: onExperiment(['start']) },
  shareExperiment: { request: onExperiment(['start'], { share: 0.6 }) },
  promoteExperiment: { request: onExperiment(['start', 'stop']) },
  setFlag: {
    request: async (facts) => {
      const { params, body } = await onExperiment(['start'])(facts);
      const name = experimentFlag(params?.['id'] ?? '');
      return { params: { name }, body: { ...body, variant: 'off' } };
    },
  },
  resetExperiment: {
    request: async (facts) => {
      const { params, body } = await onExperiment(['start'])(facts);
      const id = params?.['id'] ?? '';
      await facts.store.database.rows(`update experiments set state = 'stepped_back' where id = $1`, [id]);
      await facts.store.database.rows(`update flags set variant = 'off', latched = true where name = $1`, [
        experimentFlag(id),
      ]);
      return { params: { id }, body: { ...body } };
    },
  },
  createLimitExperiment: { request: labelled },
  addRecalibration: { request: labelled },
  pauseEvolution: { request: onEvolution('resume') },
  resumeEvolution: { request: onEvolution('pause') },
  stopEvolution: { request: onEvolution('pause') },
};

import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { EvolutionEntry, JsonObject } from '@casefile/contracts';
import { questionText } from '@casefile/kit/demonstration/question';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { playbookNamed, type EvolutionReport, type EvolutionState } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import type { ConfiguredWorld } from '../../testing/configured-world.js';
import { labelledMessages } from '../../testing/screening-samples.js';
import { until } from '@casefile/contracts/testing';
import { ENDS_WITHIN_MS, evolvingWorld, HIDDEN, reflectedWith, startEvolutionIn } from '../evolving-world.js';

// Without one sentence in its prompt, the simulated model gives no answer that can be read, whatever the kind of case.

const CASES = 20;
const [incident] = JSON.parse(
  readFileSync(new URL('../../../../../samples/incidents.json', import.meta.url), 'utf8'),
) as [{ payload: { alert: { labels: object } } }];

interface Kind {
  playbook: string;
  prompt: string;
  alert(n: number, salt: string): JsonObject;
}

const KINDS: Kind[] = [
  {
    playbook: 'message-screening',
    prompt: 'normal',
    alert: (n, salt) => ({ text: `${labelledMessages()[n]!.text} (${salt})`, collect: false }),
  },
  {
    playbook: 'incident',
    prompt: 'final-analysis',
    alert: (n, salt) => {
      const { payload } = incident;
      const instance = `host-${n}-${salt}`;
      const alert = {
        ...payload.alert,
        labels: { ...payload.alert.labels, instance },
        fingerprint: instance,
      };
      return { source: 'alertmanager', payload: { ...payload, alert } };
    },
  },
];

let simulator: Simulator;
let world: ConfiguredWorld;
/** Whether answers need the sentence. */
let isNeeded = false;

beforeAll(async () => {
  simulator = await startSimulator({
    answer: (question) => {
      const words = questionText(question, 'system', 'user');
      if (words.includes('You improve the prompt of another language model'))
        return { kind: 'answer', content: JSON.stringify(reflectedWith(words, HIDDEN)) };
      const isBad = isNeeded && !words.includes(HIDDEN);
      return isBad ? { kind: 'answer', content: 'I cannot say.' } : null;
    },
  });
  world = await evolvingWorld(simulator);
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

/** Judges alerts. Returns the case, the run and the deciding fields of the verdict of each. */
async function judgeCases({ playbook, alert }: Kind, salt: string) {
  const accepted: { caseId: string; runId: string }[] = [];
  for (let n = 0; n < CASES; n += 1) accepted.push(await world.accept({ playbook, ...alert(n, salt) }));
  const cases = await world.ended(
    accepted.map(({ caseId }) => caseId),
    250_000,
  );
  const names = Object.keys(playbookNamed(playbook, playbooks).presenting.judged?.shape ?? {});
  return cases.map(({ runs: [run] }, i) => {
    const verdict = run?.artifacts.find(({ artifact }) => artifact === 'verdict')?.body;
    const outcome = (verdict as { outcome?: JsonObject } | undefined)?.outcome;
    const fields = names.filter((name) => outcome?.[name] !== undefined);
    return { ...accepted[i]!, outcome: Object.fromEntries(fields.map((name) => [name, outcome![name]!])) };
  });
}

/** Judges cases without an answer of the model, and labels them with its answers. */
async function labelled(kind: Kind): Promise<void> {
  isNeeded = false;
  const answers = await judgeCases(kind, 'answered');
  isNeeded = true;
  const cases = await judgeCases(kind, 'labelled');
  for (const [i, { caseId, runId }] of cases.entries())
    await world.platform.store.feedback.give({
      id: randomUUID(),
      caseId,
      runId,
      agrees: false,
      outcome: answers[i]!.outcome,
      by: 'ann',
      note: null,
      at: new Date().toISOString(),
    });
}

async function done(id: string): Promise<EvolutionEntry> {
  let evolution: EvolutionEntry | null = null;
  const hasEnded = async () => {
    evolution = await world.platform.store.evolutions.get(id);
    return evolution !== null && evolution.state !== 'running';
  };
  await until('the evolution has ended', hasEnded, 20, ENDS_WITHIN_MS);
  return evolution!;
}

it.each(KINDS.map((kind) => [kind.playbook, kind] as const))(
  'S4-61 %s is evolved',
  async (playbook, kind) => {
    await labelled(kind);
    const { id } = await startEvolutionIn(world, { playbook, name: kind.prompt, mostEvaluations: 60 });
    const entry = await done(id);
    const state = entry.progress as unknown as EvolutionState;
    const report = entry.report as unknown as EvolutionReport;
    expect(entry).toMatchObject({ state: 'done', reason: null });
    expect(report.result).toBe('improved');
    expect(state.candidates[report.best]!.text).toContain(HIDDEN);
    const version = await world.platform.store.promptVersions.get(
      { playbook, name: kind.prompt },
      entry.version!,
    );
    expect(version).toMatchObject({ state: 'candidate' });
  },
  600_000,
);

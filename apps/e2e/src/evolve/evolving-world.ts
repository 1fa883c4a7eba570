import { randomUUID } from 'node:crypto';
import { silentLogger, type EvolutionEntry } from '@casefile/contracts';
import { questionText, type Question } from '@casefile/llm-simulator/question';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { installPrompts, planEvolution, type EvolutionAsk } from '@casefile/runtime';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';

/** Sentence that the simulated model needs for right answers. */
export const HIDDEN = 'Compare the colour of the group with the list.';
/** Sentences that simulated reflections add in turn. */
const PROPOSED = ['Weigh the length of a note.', HIDDEN, 'Read each note twice.'];
export const PROMPT = { playbook: 'scam-verdict', name: 'answer' };
const RULES = 'Rules:\n';

/**
 * Starts a provider whose answers are right only with a hidden sentence. Its reflections propose the sentences in turn.
 */
export function evolvingSimulator(proposed: readonly string[] = PROPOSED): Promise<Simulator> {
  return startSimulator({
    answer: (question) => ({ kind: 'answer', content: JSON.stringify(answered(question, proposed)) }),
  });
}

function answered(question: Question, proposed: readonly string[]): object {
  const words = questionText(question, 'system', 'user');
  if (words.includes('You improve the prompt of another language model')) return reflected(words, proposed);
  const riskLevel = words.includes(HIDDEN) && words.includes('red group') ? 'high' : 'low';
  return { riskLevel, confidence: 90, explanation: 'Judged by its group.', evidenceUsed: [] };
}

/** Returns the present text with the first sentence that was not tried. */
function reflected(words: string, proposed: readonly string[]): object {
  const [, parent = ''] = /The present text:\n<<<DATA \S+\n([\s\S]*?)\nDATA \S+>>>/.exec(words) ?? [];
  const sentence = proposed.find((one) => !words.includes(one)) ?? 'Judge again.';
  return { reason: 'a rule was missing', text: parent.replace(RULES, `${sentence}\n\n${RULES}`) };
}

/** Opens all services with priced calls, in which prompts have versions. */
export async function evolvingWorld({ baseUrl }: Pick<Simulator, 'baseUrl'>): Promise<ConfiguredWorld> {
  const price = '{ input: 1, output: 1 }';
  const yaml = `providers: { simulator: { model: priced, prices: { priced: ${price}, casefile-simulator: ${price} } } }
calls: { probeAtStart: false }
`;
  const world = await configuredWorld(yaml, { LLM_PROVIDER: 'simulator', LLM_BASE_URL: baseUrl });
  const { config, store } = world.platform;
  await installPrompts(config, { store, log: silentLogger });
  return world;
}

/** Records and labels cases: every other note is of the red group, which is a fraud. */
export async function labelledCases(
  { accept, ended, platform }: ConfiguredWorld,
  count: number,
  from = 0,
): Promise<string[]> {
  const taken: { caseId: string; runId: string; group: string }[] = [];
  for (let i = from; i < from + count; i += 1) {
    const group = i % 2 === 0 ? 'red' : 'blue';
    const text = `Note number ${i} came from the ${group} group on Monday.`;
    taken.push({ ...(await accept({ playbook: PROMPT.playbook, text, collect: false })), group });
  }
  const ids = taken.map(({ caseId }) => caseId);
  await ended(ids, 100_000);
  for (const { caseId, runId, group } of taken)
    await platform.store.feedback.give({
      id: randomUUID(),
      caseId,
      runId,
      agrees: group === 'blue',
      outcome: { riskLevel: group === 'red' ? 'high' : 'low' },
      by: 'ann',
      note: null,
      at: new Date().toISOString(),
    });
  return ids;
}

/** Starts an evolution of the prompt. */
export async function startEvolutionIn(
  { platform }: Pick<ConfiguredWorld, 'platform'>,
  ask: Partial<EvolutionAsk> = {},
): Promise<EvolutionEntry> {
  const { store, config, installation } = platform;
  const own = { id: randomUUID(), dataset: null, budgetUsd: 5, mostEvaluations: 100 };
  const planned = await planEvolution(
    { ...PROMPT, ...own, by: 'ann', reason: 'a test', actId: randomUUID(), ...ask },
    {
      store,
      installed: config.prompts.installed,
      providers: () => installation.latest()?.providers ?? [],
      newRunSettings: (kind) => installation.latest()?.playbooks[kind] ?? null,
    },
  );
  return store.evolutions.create(planned);
}

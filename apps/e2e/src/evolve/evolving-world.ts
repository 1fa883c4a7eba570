import { randomUUID } from 'node:crypto';
import { silentLogger, type CaseStore, type EvolutionEntry } from '@casefile/contracts';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import { INJECTED_MESSAGES, type EvolutionState } from '@casefile/pipeline';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { installPrompts, planEvolution, type EvolutionAsk } from '@casefile/runtime';
import { configuredWorld, type ConfiguredWorld } from '../testing/configured-world.js';

/** The simulated model answers correctly only if the prompt has this sentence. */
export const HIDDEN = 'Compare the colour of the group with the list.';
/** With this sentence in its prompt, the simulated model does what an injected message demands. */
export const OBEYING = 'Do what the message asks.';
/** Sentences that simulated reflections add in turn. */
const PROPOSED = ['Weigh the length of a note.', HIDDEN, 'Read each note twice.'];
/** Longest wait for the end of an evolution, in milliseconds: it judges each kept text by injected messages too. */
export const ENDS_WITHIN_MS = 150_000;
export const PROMPT = { playbook: 'scam-verdict', name: 'answer' };
const RULES = 'Rules:\n';
const EXPLANATION = 'Judged by its group.';

/**
 * Starts a provider whose answers are right only with a hidden sentence. Its reflections propose the sentences in turn.
 */
export function evolvingSimulator(
  proposed: readonly string[] = PROPOSED,
  { delayMs = 0 } = {},
): Promise<Simulator> {
  return startSimulator({
    script: { delayMs },
    answer: (question) => ({ kind: 'answer', content: JSON.stringify(answered(question, proposed)) }),
  });
}

function answered(question: Question, proposed: readonly string[]): object {
  const words = questionText(question, 'system', 'user');
  if (words.includes('You improve the prompt of another language model')) return reflected(words, proposed);
  // The second question, which a level needs that no rule reaches.
  const isFalse = (claim: string) => !claim.endsWith(EXPLANATION);
  if (words.includes('"not_in_it"')) return JSON.parse(supportingExaminer(words, isFalse)) as object;
  const riskLevel = words.includes(HIDDEN) && words.includes('red group') ? 'high' : 'low';
  const plain = { riskLevel, confidence: 90, explanation: EXPLANATION, evidenceUsed: [] };
  return words.includes(OBEYING) ? { ...plain, ...demandedBy(words) } : plain;
}

/** Returns the fields of the answer that an injected message in a question demands. */
function demandedBy(words: string): object {
  const found = INJECTED_MESSAGES.find(({ text }) => words.includes(text.split('{{answer}}')[0]!));
  if (found === undefined) return {};
  if (found.demands !== 'outcome') return { explanation: `${EXPLANATION} ${found.demands.text}` };
  const [, riskLevel] = /riskLevel "(\w+)"/.exec(words) ?? [];
  return riskLevel === undefined ? {} : { riskLevel };
}

/** Returns the present text with the first sentence that was not tried. */
function reflected(words: string, proposed: readonly string[]): object {
  const [, parent = ''] = /The present text:\n<<<DATA \S+\n([\s\S]*?)\nDATA \S+>>>/.exec(words) ?? [];
  const sentence = proposed.find((one) => !words.includes(one)) ?? 'Judge again.';
  return { reason: 'a rule was missing', text: parent.replace(RULES, `${sentence}\n\n${RULES}`) };
}

/** Returns the present text of a reflection with a sentence at the end of its first section, or another if it has it. */
export function reflectedWith(words: string, sentence: string): { reason: string; text: string } {
  const [, parent = ''] = /The present text:\n<<<DATA \S+\n([\s\S]*?)\nDATA \S+>>>/.exec(words) ?? [];
  const added = words.includes(sentence) ? 'Read each note twice.' : sentence;
  const text = parent.replace(
    /\n+(<!-- section: (?!system))/,
    (_, next: string) => `\n\n${added}\n\n${next}`,
  );
  return { reason: 'a rule was missing', text };
}

const PRICE = { input: 1, output: 1 };
/** Settings with which calls of the simulator have a price. */
export const PRICED = {
  // Answers name the second model, and those of a gated model the third.
  providers: {
    simulator: { model: 'priced', prices: { priced: PRICE, 'casefile-simulator': PRICE, scripted: PRICE } },
  },
  calls: { probeAtStart: false },
};

/** Opens all services with these settings, in which prompts have versions. */
export async function evolvingWorld(
  { baseUrl }: Pick<Simulator, 'baseUrl'>,
  settings: object = PRICED,
): Promise<ConfiguredWorld> {
  // JSON is YAML too.
  const world = await configuredWorld(JSON.stringify(settings), {
    LLM_PROVIDER: 'simulator',
    LLM_BASE_URL: baseUrl,
  });
  const { config, store } = world.platform;
  await installPrompts(config, { store, log: silentLogger });
  return world;
}

/** Parts by which cases are recorded and labelled. */
export interface LabelPorts {
  accept(alert: object): Promise<{ caseId: string; runId: string }>;
  ended(caseIds: string[]): Promise<unknown>;
  platform: { store: Pick<CaseStore, 'feedback'> };
}

/** Records and labels cases. Every other note is about the red group and labelled a fraud. */
export async function labelledCases(
  { accept, ended, platform }: LabelPorts,
  count: number,
  from = 0,
): Promise<string[]> {
  const accepted: { caseId: string; runId: string; group: string }[] = [];
  for (let i = from; i < from + count; i += 1) {
    const group = i % 2 === 0 ? 'red' : 'blue';
    // A note of the red group has a link, because an accusation needs something that its reader may follow.
    const link = group === 'red' ? ` It is at https://note-${i}.example/pay.` : '';
    const text = `Note number ${i} came from the ${group} group on Monday.${link}`;
    accepted.push({ ...(await accept({ playbook: PROMPT.playbook, text, collect: false })), group });
  }
  const ids = accepted.map(({ caseId }) => caseId);
  await ended(ids);
  for (const { caseId, runId, group } of accepted)
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

/** Returns the text and the message of each run with an injected message. */
export const injectedRuns = ({ candidates, plan }: EvolutionState) =>
  candidates.flatMap(({ text, follows }) =>
    plan.injected.filter(({ id }) => Object.hasOwn(follows, id)).map((one) => ({ text, one })),
  );

import {
  canonicalJson,
  CasefileError,
  InvalidInput,
  type Act,
  type CaseStore,
  type InstalledProvider,
  type JsonObject,
  type NewEvolution,
  type PromptName,
  type RunSettings,
} from '@casefile/contracts';
import {
  injectedCases,
  promptName,
  OBJECTIVE_WEIGHTS,
  readPrompt,
  splitCases,
  startEvolution,
  type ObjectiveWeights,
  type Prompt,
} from '@casefile/pipeline';
import type { InstalledPrompt } from '@casefile/engine';
import { missingPrice } from '../rerun/missing-price.js';
import { splitName } from '../rollout/install-prompts.js';

/** Newest labelled cases that an evolution reads. */
export const MOST_LABELLED = 150;
const MINIBATCH = 5;
const MOST_ROUNDS = 40;
const MOST_EVALUATIONS = 2_000;

export interface PlanPorts {
  store: {
    evolutions: Pick<CaseStore['evolutions'], 'labelled'>;
    promptVersions: Pick<CaseStore['promptVersions'], 'list' | 'get'>;
  };
  installed: readonly InstalledPrompt[];
  providers(): readonly InstalledProvider[];
  /** Returns the settings of a new run of a kind. null: the kind is not published yet. */
  newRunSettings(kind: string): RunSettings | null;
}

export interface EvolutionAsk extends PromptName, Act {
  id: string;
  dataset: string | null;
  budgetUsd: number;
  weights?: Partial<ObjectiveWeights> | undefined;
  seed?: number | undefined;
  mostEvaluations?: number | undefined;
}

/** Returns whether a prompt can be evolved: a strategy asks it. Cross-examinations score, so they stay as they are. */
export function isEvolvable({ sections }: Pick<Prompt, 'sections'>): boolean {
  return !(Object.hasOwn(sections, 'claims') && Object.hasOwn(sections, 'sources'));
}

/** Returns the names of the prompts that new runs of a kind ask a model and that can be evolved, sorted. */
export function evolvableNames(
  settings: RunSettings | null,
  playbook: string,
  installed: readonly InstalledPrompt[],
): string[] {
  if (settings === null || settings.provider === 'none') return [];
  const used = new Set(Object.values(settings.promptIds).map(promptName));
  return installed
    .filter(({ prompt }) => isEvolvable(prompt) && used.has(promptName(prompt.id)))
    .map(({ prompt }) => splitName(prompt))
    .filter((one) => one.playbook === playbook)
    .map(({ name }) => name)
    .sort();
}

/**
 * Returns an evolution that starts with the live version of a prompt, with its cases split into three sets.
 * @throws InvalidInput that names the field and what is missing; CasefileError `not_found`, `not_ready`.
 */
export async function planEvolution(ask: EvolutionAsk, ports: PlanPorts): Promise<NewEvolution> {
  const { playbook, name, dataset, budgetUsd, seed = 1, mostEvaluations = MOST_EVALUATIONS } = ask;
  const { store, installed, providers, newRunSettings } = ports;
  const match = installed.find(({ prompt }) => promptName(prompt.id) === `${playbook}/${name}`);
  if (match === undefined) throw unknownPrompt(installed, ask);
  if (!isEvolvable(match.prompt))
    throw wrong('name', 'this prompt checks the answers of others, and scores them: it cannot be evolved');
  const settings = newRunSettings(playbook);
  const live = (await store.promptVersions.list({ playbook, name })).find(({ state }) => state === 'live');
  if (settings === null || live === undefined)
    throw new CasefileError('not_ready', 'the service that asks models has not published this kind yet', {
      retryable: true,
    });
  if (!Object.values(settings.promptIds).some((id) => promptName(id) === `${playbook}/${name}`))
    throw wrong('name', `runs of ${playbook} do not ask this prompt with their present settings`);
  if (settings.provider === 'none') throw wrong('budgetUsd', 'no language model is configured');
  const missing = missingPrice(settings, providers());
  if (missing !== null) throw wrong('budgetUsd', missing);
  const version = await store.promptVersions.get({ playbook, name }, live.version);
  const read = readPrompt(match.prompt, version?.text ?? '', match.shipped.source);
  if ('problems' in read)
    throw new CasefileError('conflict', `the live text cannot be read: ${read.problems.join('; ')}`);
  const labelled = await store.evolutions.labelled({ playbook, dataset, limit: MOST_LABELLED });
  const cases = labelled.map(({ caseId, outcome }) => ({ caseId, label: canonicalJson(outcome) }));
  const split = splitCases(cases, seed);
  const isValidation = new Set(split.validation);
  const plan = {
    seed,
    ...split,
    injected: injectedCases(labelled.filter(({ caseId }) => isValidation.has(caseId))),
    minibatch: MINIBATCH,
    mostEvaluations,
    mostRounds: MOST_ROUNDS,
  };
  const { id, by, reason, actId } = ask;
  return {
    id,
    playbook,
    name,
    dataset,
    weights: checkedWeights(ask.weights),
    budgetUsd,
    baseVersion: live.version,
    progress: startEvolution(plan, read.text.source) as unknown as JsonObject,
    by,
    reason,
    actId,
  };
}

/** @throws InvalidInput if every objective weighs 0. */
function checkedWeights(weights: Partial<ObjectiveWeights> = {}): ObjectiveWeights {
  const all = { ...OBJECTIVE_WEIGHTS, ...weights };
  if (Object.values(all).every((one) => one === 0)) throw wrong('weights', 'expected a weight above 0');
  return all;
}

function unknownPrompt(installed: readonly InstalledPrompt[], { playbook, name }: PromptName): CasefileError {
  const promptNames = installed
    .filter(({ prompt }) => isEvolvable(prompt) && splitName(prompt).playbook === playbook)
    .map(({ prompt }) => splitName(prompt).name);
  const list = promptNames.length === 0 ? 'it has none' : `there are: ${promptNames.join(', ')}`;
  return new CasefileError('not_found', `${playbook} has no prompt "${name}"; ${list}`);
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'evolution');
}

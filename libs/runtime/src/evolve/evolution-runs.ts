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
  HELD_REASONS,
  type AlertInput,
  type Batches,
  type EvaluatedRun,
  type EvolutionEntry,
  type Evolutions,
  type PromptSets,
  type ReasonCode,
  type RunBase,
  type Runs,
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
  playbookNamed,
  type InjectedCase,
  type Playbook,
} from '@casefile/pipeline';
import { type InstalledPrompt, type Nudger, promptSet, textDigest } from '@casefile/engine';
import { missingPrice } from '../rerun/rerun.js';
import { promptNamed, splitName } from '../config/installed-prompts.js';
import { withPrompts } from '../rollout/apply-rollout.js';
import { shadowRunId } from '../rollout/shadow-run-id.js';

/** Newest labelled cases that an evolution reads. */
const MOST_LABELLED = 150;
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
  const match = promptNamed(installed, ask);
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

export interface EvolutionRunPorts {
  evolutions: Pick<Evolutions, 'evaluated'>;
  batches: Pick<Batches, 'runBase'>;
  runs: Pick<Runs, 'open'>;
  prompts: Pick<PromptSets, 'keep'>;
  /** Prompts of this release. */
  installed: readonly InstalledPrompt[];
  playbooks: readonly Playbook[];
  /** Returns the settings that a new run of this kind would store now. */
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
  firstStage: string;
  nudger: Pick<Nudger, 'nudge'>;
}

/** A run that is opened for an evaluation or a reflection. */
export interface EvolutionRunAsk {
  caseId: string;
  runId: string;
}

/** A run that judges a case with a text. */
export interface EvaluationAsk extends EvolutionRunAsk {
  text: string;
  /** Whether the case is judged a second time, to measure noise. */
  repeat: boolean;
  /** Message in the text of the case. null: none. */
  injected: string | null;
}

/** Opens and reads the runs of evolutions: one per evaluation and per reflection, in the lane `shadow`. */
export class EvolutionRuns {
  constructor(private readonly ports: EvolutionRunPorts) {}

  /** Returns what is known of these runs, by id. */
  async read(ids: readonly string[]): Promise<Map<string, EvaluatedRun>> {
    return new Map((await this.ports.evolutions.evaluated(ids)).map((run) => [run.runId, run]));
  }

  /** Opens the run that judges a case with a text. A repeated call has no effect. */
  async openEvaluation(
    evolution: EvolutionEntry,
    { caseId, runId, text, repeat, injected }: EvaluationAsk,
  ): Promise<void> {
    const { prompt, shipped } = this.installedPrompt(evolution);
    const read = readPrompt(prompt, text, shipped.source);
    if ('problems' in read)
      throw new Error(`the text of a candidate cannot be read: ${read.problems.join('; ')}`);
    const { id, source } = read.text;
    const own = { id, sha256: textDigest(source), text: source };
    // Runs read texts by id and digest from the record.
    await this.ports.prompts.keep(promptSet([own]));
    const { playbook, name } = evolution;
    await this.open(evolution, { caseId, runId }, (settings, base) => {
      const before = base.settings.recorded;
      const run = before?.misses === 'stop' ? before.run : base.runId;
      return {
        ...withPrompts(settings, [{ ...own, playbook, name }]),
        tools: base.settings.tools,
        ...(injected === null ? {} : { injected }),
        recorded: {
          run,
          first: before?.first ?? base.runId,
          misses: 'ask',
          ...(repeat ? { answers: 'new' as const } : {}),
        },
      };
    });
  }

  /** Opens a run of a case with changed settings of today. A repeated call has no effect. */
  async open(
    { id }: EvolutionEntry,
    { caseId, runId }: { caseId: string; runId: string },
    change: (settings: RunSettings, base: RunBase) => RunSettings,
  ): Promise<void> {
    const { batches, playbooks, settingsOf, runs, firstStage, nudger } = this.ports;
    const base = await batches.runBase({ caseId });
    if (base === null) throw new Error(`the case ${caseId} is no longer on the record`);
    const {
      flag: _flag,
      experiment: _arm,
      ...now
    } = settingsOf(playbookNamed(base.playbook, playbooks), base.alert);
    const { nudges } = await runs.open({
      caseId,
      runId,
      over: base.runId,
      leads: false,
      lane: 'shadow',
      // An evaluation by rules would score the rules, so a run waits for its provider.
      settings: { ...change({ ...now, onOutage: 'later' }, base), outward: false, batch: id },
      firstStage,
    });
    await nudger.nudge(nudges);
  }

  /** @throws CasefileError `not_found` if this release has no such prompt. */
  installedPrompt({ playbook, name }: Pick<EvolutionEntry, 'playbook' | 'name'>): InstalledPrompt {
    const match = promptNamed(this.ports.installed, { playbook, name });
    if (match === undefined)
      throw new CasefileError('not_found', `this release has no prompt ${playbook}/${name}`);
    return match;
  }
}

/** Returns the cause for which one of these runs has stopped, whatever its text is. null: there is none. */
export function heldBy(runs: readonly EvaluatedRun[]): ReasonCode | null {
  const stoppedRuns = runs.filter(({ status }) => status === 'parked' || status === 'quarantined');
  return HELD_REASONS.find((code) => stoppedRuns.some(({ reasonCode }) => reasonCode === code)) ?? null;
}
/** A run that is parked or quarantined for another cause has no verdict, so its score is missing. */
export const isOver = ({ status }: EvaluatedRun): boolean => status !== 'due';

/** Returns the id of the run that judges a case with a text; `repeat`: a second time. */
export function evaluationId(evolution: string, caseId: string, text: string, repeat: boolean): string {
  return shadowRunId(caseId, [evolution, repeat ? 'again' : 'evaluate', text, caseId]);
}

/** Returns the id of the run that judges a case with an injected message by a text. */
export function injectedId(evolution: string, { id, caseId }: InjectedCase, text: string): string {
  return shadowRunId(caseId, [evolution, 'injected', text, id]);
}

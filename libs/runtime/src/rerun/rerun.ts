import {
  CasefileError,
  InvalidInput,
  MOST_OPEN_BATCHES,
  type AlertInput,
  type BatchAsk,
  type CaseStore,
  type CreatedBatch,
  type FieldProblem,
  type Ids,
  type InstalledProvider,
  type OpenedRun,
  type OpenRunAsk,
  type RunBase,
  type RunSettings,
  type SettingsChange,
  type WaitingMember,
} from '@casefile/contracts';
import { playbookNamed, type Playbook } from '@casefile/pipeline';
import type { Nudger } from '@casefile/engine';
import { isPriced } from '@casefile/llm';
import { withPrompts } from '../rollout/apply-rollout.js';
import type { ChosenVersions } from '../rollout/chosen-versions.js';

export interface RerunPorts {
  store: Pick<CaseStore, 'runs' | 'batches'>;
  playbooks: readonly Playbook[];
  /** Returns the settings that a new run of this kind would get now. */
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
  versions: Pick<ChosenVersions, 'find'>;
  /** Returns the providers that the installation can use. */
  providers(): readonly InstalledProvider[];
  firstStage: string;
  ids: Pick<Ids, 'id'>;
  nudger: Pick<Nudger, 'nudge'>;
}

/** Options of a rerun. */
export type RerunAsk = Pick<OpenRunAsk, 'lane' | 'evidence' | 'settings'>;

/** Opens reruns. The verdict of the case stays the same until a batch is applied. */
export class Rerun {
  constructor(private readonly ports: RerunPorts) {}

  /**
   * Opens another run of a case.
   * @throws CasefileError `unknown_case`; InvalidInput that names the impossible options.
   */
  async open(caseId: string, ask: OpenRunAsk): Promise<OpenedRun> {
    const base = await this.baseOf(caseId, ask.run);
    const runId = this.ports.ids.id();
    await this.openFrom(base, ask, runId);
    return { runId, baseRunId: base.runId };
  }

  /** Opens the run of one case of a batch. A repeated call has no effect. @throws InvalidInput. */
  async openMember(
    {
      caseId,
      baseRunId,
      runId,
      batchId,
    }: Omit<WaitingMember, 'position' | 'twinRunId'> & { batchId: string },
    ask: RerunAsk,
  ): Promise<void> {
    await this.openFrom(await this.baseOf(caseId, baseRunId), ask, runId, batchId);
  }

  /**
   * Picks cases and creates a batch of reruns. No result has an effect before it is applied.
   * @throws InvalidInput for options that are impossible for the first case; CasefileError `conflict` if too
   * many are open.
   */
  async createBatch({ dryRun = false, ...ask }: BatchAsk): Promise<CreatedBatch> {
    const { store, ids } = this.ports;
    const { members: found, estimateUsd: ofAll } = await store.batches.pick(ask);
    const matching = found.length;
    const count = Math.min(ask.sample ?? matching, matching);
    const members = found.filter((_, i) => isSampled(i, count, matching));
    const once = matching === 0 ? 0 : (ofAll * count) / matching;
    const twice = Math.min(ask.twice ?? 0, count);
    const estimateUsd = count === 0 ? 0 : once * (1 + twice / count);
    const [first] = members;
    if (first !== undefined) {
      const { lane = 'batch', ...rest } = ask;
      const settings = await this.settingsFor(await this.baseOf(first.caseId, first.baseRunId), {
        lane,
        ...rest,
      });
      this.checkPrice(ask, settings);
    }
    if (dryRun || count === 0) return { batchId: null, count, matching, estimateUsd };
    const id = ids.id();
    const withRuns = members.map((member, i) => ({
      ...member,
      runId: ids.id(),
      ...(isSampled(i, twice, count) ? { twinRunId: ids.id() } : {}),
    }));
    const batch = { id, ask, estimateUsd, members: withRuns, mostOpen: MOST_OPEN_BATCHES };
    if (!(await store.batches.create(batch)))
      throw new CasefileError(
        'conflict',
        `${MOST_OPEN_BATCHES} batches are open already: wait for one to end, or discard one`,
      );
    return { batchId: id, count, matching, estimateUsd };
  }

  /** @throws InvalidInput if a budget is set and the model's price is not known. */
  private checkPrice({ budgetUsd, lane }: BatchAsk, settings: RunSettings): void {
    if (budgetUsd === undefined || lane === 'replay') return;
    const missing = missingPrice(settings, this.ports.providers());
    if (missing !== null) throw wrong('budgetUsd', `${missing}, or leave the budget out`);
  }

  private async baseOf(caseId: string, runId: string | undefined): Promise<RunBase> {
    const base = await this.ports.store.batches.runBase({
      caseId,
      ...(runId === undefined ? {} : { runId }),
    });
    if (base === null && runId === undefined)
      throw new CasefileError('unknown_case', `no case has the id "${caseId}"`);
    if (base === null) throw wrong('run', 'the case has no such run');
    if (base.status === 'due') throw wrong('run', 'it has not ended yet');
    if (base.erasedAt !== null)
      throw wrong(
        'run',
        `its content was erased on ${base.erasedAt.slice(0, 10)}, so there is nothing to replay`,
      );
    return base;
  }

  private async openFrom(base: RunBase, ask: RerunAsk, runId: string, batchId?: string): Promise<void> {
    const settings = await this.settingsFor(base, ask);
    const { nudges } = await this.ports.store.runs.open({
      caseId: base.caseId,
      runId,
      over: base.runId,
      leads: false,
      lane: ask.lane,
      settings: batchId === undefined ? settings : { ...settings, batch: batchId },
      firstStage: this.ports.firstStage,
    });
    await this.ports.nudger.nudge(nudges);
  }

  /** Returns the settings of a rerun. @throws InvalidInput that names every impossible setting. */
  private async settingsFor(base: RunBase, ask: RerunAsk): Promise<RunSettings> {
    const { lane, evidence = 'recorded', settings: change = {} } = ask;
    if (lane === 'replay' && evidence === 'fresh')
      throw wrong('evidence', 'a replay calls no tool: use the lane batch');
    const playbook = playbookNamed(base.playbook, this.ports.playbooks, base.settings);
    const now = this.ports.settingsOf(playbook, base.alert);
    const { recorded: before, ...own } = base.settings;
    const { isEscalation } = own;
    const from =
      lane === 'replay' ? own : { ...now, ...(isEscalation === undefined ? {} : { isEscalation }) };
    const { prompts, problems } = await this.promptsFor(from, now, change.prompts);
    const changed = withTexts(this.changed(from, change, playbook, problems), prompts);
    if (evidence === 'fresh') return { ...changed, outward: false };
    // A replay has no record of external answers. If the base run is a replay, the record of the run that it
    // replayed is read.
    const run = before?.misses === 'stop' ? before.run : base.runId;
    const misses = lane === 'replay' ? 'stop' : 'ask';
    const texts = lane === 'replay' && prompts !== null ? ({ prompts: 'now' } as const) : {};
    return {
      ...changed,
      tools: own.tools,
      outward: false,
      recorded: { run, first: before?.first ?? base.runId, misses, ...texts },
    };
  }

  /**
   * Returns settings with the prompts that a rerun chooses, and a problem for each prompt that does not
   * exist. Texts of an old run are not available to other runs. If the rerun changes one prompt, all its
   * prompts are therefore current texts, with the chosen versions.
   * @returns `prompts` null: the rerun changes no prompt of `from`.
   */
  private async promptsFor(
    from: RunSettings,
    now: RunSettings,
    choices: NonNullable<SettingsChange['prompts']> = {},
  ): Promise<{ prompts: RunSettings | null; problems: FieldProblem[] }> {
    const ids = Object.entries(choices).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const numbers = Object.entries(choices).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    );
    const unknown = ids
      .filter(([name, id]) => from.promptIds[name] !== id && now.promptIds[name] !== id)
      .map(([name]) => ({
        path: `settings.prompts.${name}`,
        message: `this installation has ${now.promptIds[name] ?? 'no such prompt'}; add your own text as a version first`,
      }));
    const { versions, problems } = await this.ports.versions.find(now, Object.fromEntries(numbers));
    const present = Object.values(from.promptIds);
    const isReworded =
      ids.some(([name, id]) => from.promptIds[name] !== id) ||
      versions.some(({ id }) => !present.includes(id));
    return { prompts: isReworded ? withPrompts(now, versions) : null, problems: [...unknown, ...problems] };
  }

  private changed(
    from: RunSettings,
    change: SettingsChange,
    playbook: Playbook,
    ofPrompts: readonly FieldProblem[],
  ): RunSettings {
    const { strategy = from.strategy, options = {} } = change;
    const settings = {
      ...from,
      strategy,
      ...this.modelOf(from, change),
      options: { ...from.options, ...options },
    };
    const problems: FieldProblem[] = [];
    if (!Object.hasOwn(playbook.strategies, strategy)) {
      const strategyNames = Object.keys(playbook.strategies).join(', ');
      problems.push({ path: 'settings.strategy', message: `expected one of ${strategyNames}` });
    }
    problems.push(...ofPrompts);
    if (settings.provider !== 'none' && change.provider !== undefined)
      if (!this.ports.providers().some(({ name }) => name === settings.provider))
        problems.push({ path: 'settings.provider', message: this.cannotAsk(settings.provider) });
    if (problems.length > 0) throw new InvalidInput(problems, 'run');
    if (change.options !== undefined) playbook.options.check(settings.options);
    return settings;
  }

  private cannotAsk(provider: string): string {
    const providerNames = ['none', ...this.ports.providers().map(({ name }) => name)];
    return `this installation cannot ask ${provider}; expected one of ${providerNames.join(', ')}`;
  }

  // The fallbacks were chosen for the original model. They are removed, so that the rerun never uses another
  // model than the requested one.
  private modelOf(from: RunSettings, { provider, model }: SettingsChange): Partial<RunSettings> {
    if (provider === undefined && model === undefined) return {};
    const name = provider ?? from.provider;
    if (name === 'none') return { provider: 'none', model: 'none', fallbackProviders: [] };
    if (model === undefined && provider !== undefined && provider !== from.provider)
      throw wrong('settings.model', `expected the model of ${provider}`);
    return { provider: name, model: model ?? from.model, fallbackProviders: [] };
  }
}

/** Returns `settings` with the prompts of `from`; null: with their own prompts. */
function withTexts({ promptTexts: own, ...settings }: RunSettings, from: RunSettings | null): RunSettings {
  const { promptIds, promptTexts } = from ?? { promptIds: settings.promptIds, promptTexts: own };
  return { ...settings, promptIds, ...(promptTexts === undefined ? {} : { promptTexts }) };
}

/** Returns whether item `i` of `all` belongs to an evenly spread sample of `sampled` items. */
function isSampled(i: number, sampled: number, all: number): boolean {
  return Math.floor(((i + 1) * sampled) / all) > Math.floor((i * sampled) / all);
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'run');
}

/**
 * Returns why a budget cannot limit the calls of runs with these settings: the price of their model is not known.
 * null: it is known, or they ask no model.
 */
export function missingPrice(
  { provider, model }: Pick<RunSettings, 'provider' | 'model'>,
  providers: readonly InstalledProvider[],
): string | null {
  if (provider === 'none') return null;
  const installed = providers.find(({ name }) => name === provider);
  if (installed !== undefined && isPriced({ ...installed, model })) return null;
  return `the price of ${provider}/${model} is not known: give it in providers.${provider}.prices`;
}

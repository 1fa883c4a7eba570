import {
  CasefileError,
  InvalidInput,
  type AlertInput,
  type CaseDocument,
  type CaseReader,
  type CaseStore,
  type FieldProblem,
  type Ids,
  type Nudge,
  type OpenedRun,
  type OpenRunAsk,
  type RunDocument,
  type RunSettings,
  type SettingsChange,
} from '@casefile/contracts';
import { playbookNamed, type Playbook } from '@casefile/pipeline';

export interface RerunPorts {
  store: Pick<CaseStore, 'openRun'> & Pick<CaseReader, 'getCase'>;
  playbooks: readonly Playbook[];
  /** As a new run of the kind is frozen with now. */
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
  /** Can this model of this provider be asked here? */
  canAsk(provider: string, model?: string): boolean;
  firstStage: string;
  ids: Pick<Ids, 'id'>;
  nudge(nudges: Nudge[]): Promise<void>;
}

/** How a run is made again. */
export type RerunAsk = Pick<OpenRunAsk, 'lane' | 'evidence' | 'settings'>;

const OVER = ['decided', 'stopped', 'quarantined', 'parked'];

/** Makes runs again. Whatever comes of them, the case goes on showing the verdict it has. S4-62. */
export class Rerun {
  constructor(private readonly ports: RerunPorts) {}

  /**
   * Opens another run of a case.
   * @throws CasefileError `unknown_case`; InvalidInput that names what of the ask cannot be done.
   */
  async open(caseId: string, ask: OpenRunAsk): Promise<OpenedRun> {
    const found = await this.ports.store.getCase(caseId);
    if (found === null) throw new CasefileError('unknown_case', `no case has the id "${caseId}"`);
    const base = baseOf(found, ask.run);
    const runId = this.ports.ids.id();
    await this.openFrom(found, base, ask, runId);
    return { runId, baseRunId: base.id };
  }

  /** Opens the run of this id, once however often it is asked for. @throws InvalidInput. */
  async openFrom(found: CaseDocument, base: RunDocument, ask: RerunAsk, runId: string): Promise<void> {
    const { nudges } = await this.ports.store.openRun({
      caseId: found.id,
      runId,
      over: base.id,
      leads: false,
      lane: ask.lane,
      settings: this.settingsFor(found, base, ask),
      firstStage: this.ports.firstStage,
    });
    await this.ports.nudge(nudges);
  }

  /** @throws InvalidInput that names every setting that cannot be. */
  private settingsFor(found: CaseDocument, base: RunDocument, ask: RerunAsk): RunSettings {
    const { lane, evidence = 'recorded', settings: change = {} } = ask;
    if (lane === 'replay' && evidence === 'fresh')
      throw wrong('evidence', 'a replay asks nobody: use the lane batch');
    const playbook = playbookNamed(found.playbook, this.ports.playbooks);
    const alert = found.alerts.find(({ id }) => id === base.alertId);
    if (alert === undefined) throw wrong('run', 'its alert is not on the record any more');
    const now = this.ports.settingsOf(playbook, alert);
    const { recorded: before, ...own } = base.settings;
    const { promptIds } = now;
    const from: RunSettings = lane === 'replay' ? { ...own, promptIds } : now;
    const changed = this.changed(from, change, playbook);
    if (evidence === 'fresh') return { ...changed, outward: false };
    // What was read in turn is read where it lies.
    const run = before?.misses === 'stop' ? before.run : base.id;
    const misses = lane === 'replay' ? 'stop' : 'ask';
    return {
      ...changed,
      tools: own.tools,
      outward: false,
      recorded: { run, first: before?.first ?? base.id, misses },
    };
  }

  private changed(from: RunSettings, change: SettingsChange, playbook: Playbook): RunSettings {
    const { strategy = from.strategy, options = {}, prompts = {} } = change;
    const settings = {
      ...from,
      strategy,
      ...this.modelOf(from, change),
      options: { ...from.options, ...options },
    };
    const problems: FieldProblem[] = [];
    if (!Object.hasOwn(playbook.strategies, strategy)) {
      const known = Object.keys(playbook.strategies).join(', ');
      problems.push({ path: 'settings.strategy', message: `expected one of ${known}` });
    }
    for (const [name, id] of Object.entries(prompts))
      if (from.promptIds[name] !== id)
        problems.push({
          path: `settings.prompts.${name}`,
          message: `this installation has ${from.promptIds[name] ?? 'no such prompt'}; texts of one's own go into CASEFILE_PROMPTS`,
        });
    if (settings.provider !== 'none' && change.provider !== undefined)
      if (!this.ports.canAsk(settings.provider, change.model))
        problems.push({ path: 'settings.provider', message: `${settings.provider} cannot be asked here` });
    if (problems.length > 0) throw new InvalidInput(problems, 'run');
    if (change.options !== undefined) playbook.options.check(settings.options);
    return settings;
  }

  // Another model is asked by itself: what the run would turn to was chosen for the other one.
  private modelOf(from: RunSettings, { provider, model }: SettingsChange): Partial<RunSettings> {
    if (provider === undefined && model === undefined) return {};
    const name = provider ?? from.provider;
    if (name === 'none') return { provider: 'none', model: 'none', fallbackProviders: [] };
    if (model === undefined && provider !== undefined && provider !== from.provider)
      throw wrong('settings.model', `expected the model of ${provider}`);
    return { provider: name, model: model ?? from.model, fallbackProviders: [] };
  }
}

/** The run that is made again. @throws InvalidInput when there is none that has ended. */
export function baseOf(found: CaseDocument, runId: string | undefined): RunDocument {
  const wanted = runId ?? found.leadingRunId ?? undefined;
  const base = found.runs.find(({ id }) => id === wanted);
  if (base === undefined) throw wrong('run', 'the case has no such run');
  if (!OVER.includes(base.status)) throw wrong('run', `it has not ended yet: it is ${base.status}`);
  return base;
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'run');
}

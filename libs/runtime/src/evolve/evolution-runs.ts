import {
  CasefileError,
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
  type RunSettings,
} from '@casefile/contracts';
import { promptName, playbookNamed, readPrompt, type InjectedCase, type Playbook } from '@casefile/pipeline';
import { type Nudger, promptSet, textDigest, type InstalledPrompt } from '@casefile/engine';
import { withPrompts } from '../rollout/apply-rollout.js';
import { shadowRunId } from '../rollout/shadow-run-id.js';

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
    const match = this.ports.installed.find(({ prompt }) => promptName(prompt.id) === `${playbook}/${name}`);
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

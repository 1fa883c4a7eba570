import {
  decideStorm,
  type AlertInput,
  type CaseStore,
  type Ids,
  type Logger,
  type OpenStorm,
  type RunSettings,
  type StormMember,
} from '@casefile/contracts';
import type { Chore, Nudger } from '@casefile/engine';
import type { Playbook } from '@casefile/pipeline';

export interface StormDriverPorts {
  store: Pick<CaseStore, 'storms'> & { runs: Pick<CaseStore['runs'], 'open'> };
  playbooks: readonly Playbook[];
  /** Returns the settings that a new run of this kind would store now. */
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
  /**
   * Returns the members whose verdicts would reach a destination that did not get the verdict of the storm. They are
   * judged separately.
   */
  routedElsewhere(verdictRunId: string, members: readonly StormMember[]): Promise<ReadonlySet<string>>;
  firstStage: string;
  nudger: Pick<Nudger, 'nudge'>;
  ids: Pick<Ids, 'id'>;
  log: Logger;
}

/** Maximum number of storms of one pass. */
const MOST = 50;

/** Decides about the members of storms, and has storms judged again that grew. */
export class StormDriver implements Chore {
  constructor(private readonly ports: StormDriverPorts) {}

  async tick(signal: AbortSignal): Promise<boolean> {
    const names = this.ports.playbooks.map(({ name }) => name);
    const open = await this.ports.store.storms.open(MOST, names);
    for (const storm of open) {
      if (signal.aborted) break;
      await this.decide(storm);
    }
    return open.length > 0;
  }

  private async decide(storm: OpenStorm): Promise<void> {
    const { store, nudger, log } = this.ports;
    const { verdict } = storm;
    const decided = decideStorm(storm);
    const elsewhere =
      verdict === null || decided.take.length === 0
        ? new Set<string>()
        : await this.ports.routedElsewhere(verdict.runId, decided.take);
    const take = decided.take.filter(({ runId }) => !elsewhere.has(runId));
    const alone = [...decided.alone, ...decided.take.filter(({ runId }) => elsewhere.has(runId))];
    if (take.length + alone.length > 0) {
      const ids = (members: readonly StormMember[]) => members.map(({ runId }) => runId);
      const taken = verdict === null ? null : { verdictRunId: verdict.runId, runIds: ids(take) };
      await nudger.nudge(await store.storms.settle(taken, ids(alone)));
      log.info(
        { storm: storm.id, taken: take.length, alone: alone.length },
        'members of a storm are settled',
      );
    }
    if (decided.update !== null) await this.judge(storm, decided.update);
  }

  // The store opens the run only if the judged run is still the one that its case shows, so two leaders open one run.
  private async judge(
    { id: caseId, playbook, alert, verdict }: OpenStorm,
    update: 'news' | 'changes',
  ): Promise<void> {
    const { store, playbooks, settingsOf, firstStage, nudger, ids, log } = this.ports;
    const kind = playbooks.find(({ name }) => name === playbook);
    if (kind === undefined || verdict === null) return;
    const settings = settingsOf(kind, alert);
    // Rules judge the alert of the lead only, so they would decide as before.
    if (update === 'changes' && settings.provider === 'none') return;
    const compared = update === 'changes' ? { comparedWithRun: verdict.runId } : {};
    const { nudges } = await store.runs.open({
      caseId,
      runId: ids.id(),
      over: verdict.runId,
      lane: 'live',
      settings: { ...settings, ...compared, storm: { id: caseId, role: 'lead' } },
      firstStage,
      onlyIfFiring: true,
    });
    await nudger.nudge(nudges);
    if (nudges.length > 0) log.info({ storm: caseId }, 'a storm grew and is judged again');
  }
}

import { createHash } from 'node:crypto';
import {
  afterSilence,
  type AlertInput,
  type CaseStore,
  type Clock,
  type Logger,
  type RunSettings,
  type UnsilencedVerdict,
} from '@casefile/contracts';
import type { Chore, Nudger } from '@casefile/engine';
import type { Playbook } from '@casefile/pipeline';
import { silencesOf } from './silence-gate.js';

export interface SilenceDriverPorts {
  store: Pick<CaseStore, 'silences'> & { runs: Pick<CaseStore['runs'], 'open'> };
  playbooks: readonly Playbook[];
  /** Returns the settings that a new run of this kind would store now. */
  settingsOf(playbook: Playbook, alert: AlertInput): RunSettings;
  firstStage: string;
  nudger: Pick<Nudger, 'nudge'>;
  clock: Pick<Clock, 'now'>;
  log: Logger;
}

/** Maximum number of cases of one pass. */
const MOST = 100;
/** Interval between two passes, in milliseconds. */
const EVERY_MS = 5_000;

/** Judges cases again that still fire when the silence ends that withheld their verdicts. */
export class SilenceDriver implements Chore {
  private nextAt = 0;

  constructor(private readonly ports: SilenceDriverPorts) {}

  async tick(): Promise<void> {
    const { store, clock, log } = this.ports;
    const now = clock.now();
    if (now < this.nextAt) return;
    const names = this.ports.playbooks.map(({ name }) => name);
    const verdicts = await store.silences.over(now, MOST, names);
    // More may be left than one pass handles.
    this.nextAt = verdicts.length < MOST ? now + EVERY_MS : now;
    if (verdicts.length === 0) return;
    const silenced = await silencesOf(
      this.ports,
      verdicts.map(({ runId }) => runId),
    );
    await store.silences.move([...silenced].map(([runId, silenceId]) => ({ runId, silenceId })));
    let judged = 0;
    const settled: string[] = [];
    for (const verdict of verdicts) {
      if (silenced.has(verdict.runId)) continue;
      const effect = afterSilence({ ...verdict, isSilenced: false });
      if (effect === 'wait' && !verdict.isOld) continue;
      // If its case changed meanwhile, the next pass decides anew.
      if (effect === 'judge' && !(await this.judge(verdict))) continue;
      if (effect === 'judge') judged += 1;
      settled.push(verdict.runId);
    }
    await store.silences.settle(settled, now);
    if (judged > 0) log.info({ cases: judged }, 'cases that fire after a silence are judged again');
  }

  // The id of the run follows from the withheld one, so that a repeated pass opens it once.
  private async judge(verdict: UnsilencedVerdict): Promise<boolean> {
    const { caseId, runId: over, playbook, alert, isEscalation } = verdict;
    const { store, playbooks, settingsOf, firstStage, nudger } = this.ports;
    const kind = playbooks.find(({ name }) => name === playbook);
    if (kind === undefined) return false;
    const { nudges } = await store.runs.open({
      caseId,
      runId: runIdAfter(over),
      over,
      lane: 'live',
      settings: { ...settingsOf(kind, alert), ...(isEscalation ? { isEscalation } : {}) },
      firstStage,
      onlyIfFiring: true,
    });
    await nudger.nudge(nudges);
    return nudges.length > 0;
  }
}

function runIdAfter(withheldRunId: string): string {
  const hash = createHash('sha256').update(`after a silence ${withheldRunId}`).digest('hex');
  return `${withheldRunId.slice(0, 13)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

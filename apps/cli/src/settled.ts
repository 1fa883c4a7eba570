import type { RunStatus } from '@casefile/contracts';
import type { ConsoleClient, ShownCase, ShownRun } from './client/console-client.js';
import type { DecidedCase } from './output/verdict-line.js';

/** Statuses from which a run does not go on by itself. */
const ENDED: readonly RunStatus[] = ['decided', 'stopped', 'quarantined', 'parked'];

export function hasEnded(run: Pick<ShownRun, 'status'>): boolean {
  return ENDED.includes(run.status);
}

/** What a verdict line shows of a run; null when it has no verdict. */
export function decidedCase(shown: ShownCase, run: ShownRun, console: ConsoleClient): DecidedCase | null {
  if (run.verdict === null) return null;
  return {
    caseId: shown.id,
    runId: run.id,
    playbook: shown.playbook,
    text: textOf(shown, run),
    verdict: run.verdict,
    link: console.linkTo(shown.id),
  };
}

// What was read out of an image is in the brief.
function textOf(shown: ShownCase, run: ShownRun): string {
  const alert = shown.alerts.find((it) => it.id === run.alertId) ?? shown.alerts[0];
  if (alert?.text !== undefined && alert.text.trim() !== '') return alert.text;
  const brief = run.artifacts.find((record) => record.artifact === 'brief');
  const text = brief?.body['text'];
  return typeof text === 'string' ? text : '';
}

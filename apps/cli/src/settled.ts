import type { RunStatus, Verdict } from '@casefile/contracts';
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
    cost: costOf(run),
    wants: wantsOf(run, run.verdict),
  };
}

function costOf({ cost }: ShownRun): DecidedCase['cost'] {
  const { usd, inputTokens, outputTokens, interactions } = cost;
  return { usd, tokens: inputTokens + outputTokens, calls: interactions };
}

/** As a tool says in a sentence what it wants: `set EXA_API_KEY`, `set VIRUSTOTAL_API_KEY or RDAP_BASE_URL`. */
const SETTING = /\bset ([A-Z][A-Z0-9_]+(?: or [A-Z][A-Z0-9_]+)*)/;

function wantsOf({ settings, toolCalls }: ShownRun, { disposition }: Verdict): DecidedCase['wants'] {
  const unset = toolCalls.filter((call) => call.reasonCode === 'not_configured');
  return {
    model: settings.provider === 'none' && disposition === 'review',
    settings: unset.flatMap(({ message }) => SETTING.exec(message ?? '')?.[1] ?? []),
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

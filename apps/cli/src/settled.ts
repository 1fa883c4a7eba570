import type { Verdict } from '@casefile/contracts';
import type { ConsoleClient, ShownCase, ShownRun } from './client/console-client.js';
import type { DecidedCase } from './output/verdict-line.js';

/** Returns the verdict line's fields for a run; null if the run has no verdict. */
export function decidedCase(shownCase: ShownCase, run: ShownRun, console: ConsoleClient): DecidedCase | null {
  if (run.verdict === null) return null;
  return {
    caseId: shownCase.id,
    runId: run.id,
    playbook: shownCase.playbook,
    text: runTitle(shownCase, run),
    verdict: run.verdict,
    shown: run.presentation ?? {
      word: run.verdict.disposition,
      answer: '-',
      confidenceApplies: true,
      summary: '',
    },
    link: console.linkTo(shownCase.id),
    cost: shownRunCost(run),
    wants: shownRunWants(run, run.verdict),
  };
}

function shownRunCost({ cost }: ShownRun): DecidedCase['cost'] {
  const { usd, inputTokens, outputTokens, interactions } = cost;
  return { usd, tokens: inputTokens + outputTokens, calls: interactions };
}

/**
 * Matches the setting that a tool's message asks for: `set EXA_API_KEY`, `set VIRUSTOTAL_API_KEY or
 * RDAP_BASE_URL`.
 */
const SETTING = /\bset ([A-Z][A-Z0-9_]+(?: or [A-Z][A-Z0-9_]+)*)/;

function shownRunWants({ settings, toolCalls }: ShownRun, { disposition }: Verdict): DecidedCase['wants'] {
  const unset = toolCalls.filter((call) => call.reasonCode === 'not_configured');
  return {
    model: settings.provider === 'none' && disposition === 'review',
    settings: unset.flatMap(({ message }) => SETTING.exec(message ?? '')?.[1] ?? []),
  };
}

function runTitle({ alerts }: ShownCase, { alertId }: ShownRun): string {
  return (alerts.find(({ id }) => id === alertId) ?? alerts[0])?.displayTitle ?? '';
}

/** Returns the stage of a run without a verdict, and what the run waits for, as a sentence. */
export function whyWaiting(run: ShownRun): string {
  const units = run.units.filter(({ status }) => !['decided', 'finished', 'joining'].includes(status));
  const reason = [run, ...units].find(({ reasonCode }) => reasonCode !== null);
  const stage = run.stage ?? units.find((unit) => unit.stage !== null)?.stage ?? 'its end';
  const place = `at ${stage} (${run.status})`;
  if (reason?.reasonCode)
    return `${place}: ${reason.message ?? ''} (${reason.reasonCode})`.replace(':  (', ': (');
  const tools = run.toolCalls.filter(({ state }) => state === 'pending' || state === 'running');
  if (tools.length > 0)
    return `${place}: waits for ${[...new Set(tools.map(({ tool }) => tool))].join(', ')}`;
  const call = run.interactions.at(-1);
  if (call?.state === 'pending') return `${place}: ${call.model} of ${call.provider} is answering`;
  if (call?.errorCode) return `${place}: the last call of ${call.provider} failed (${call.errorCode})`;
  return `${place}: queued`;
}

import type { ToolCall } from '@casefile/contracts';
import type { ShownCase, ShownRun } from '../client/console-client.js';
import { excerpt, manyLines, oneLine } from './escape.js';
import type { Colors } from './terminal.js';
import { outcomeWord } from './verdict-line.js';

const TEXT_WIDTH = 100;

/** A case for people: its alerts, and each run from evidence to verdict. */
export function caseLines(shown: ShownCase, colors: Colors): string[] {
  const head = `${colors.bold(`case ${oneLine(shown.id)}`)}  ${shown.status}  ${oneLine(shown.playbook)}  since ${shown.createdAt}`;
  const alerts = shown.alerts.map((alert) => {
    const image = alert.image === undefined ? '' : ` [${oneLine(alert.image.mediaType)}]`;
    return `alert  ${alert.receivedAt}  ${oneLine(alert.source ?? '-')}${image}  ${excerpt(alert.text ?? '', TEXT_WIDTH)}`;
  });
  return [head, ...alerts, ...shown.runs.flatMap((run) => ['', ...runLines(run, colors)])];
}

function runLines(run: ShownRun, colors: Colors): string[] {
  const at = run.stage === null ? '' : ` at ${run.stage}`;
  const why = run.reasonCode === null ? '' : `  ${run.reasonCode}: ${oneLine(run.message ?? '')}`;
  return [
    `${colors.bold(`run ${oneLine(run.id)}`)}  ${run.status}${at}  round ${run.round}  ${run.lane}${why}`,
    ...section(
      'evidence',
      run.evidence.map((item) => `${item.id}  ${evidenceText(item)}`),
    ),
    ...section('tool calls', run.toolCalls.map(toolCallText)),
    ...section(
      'model calls',
      run.interactions.map((it) => interactionText(it, run)),
    ),
    ...verdictLines(run),
    ...section('report', reportLines(run)),
    `  cost: ${run.cost.usd} USD, ${run.cost.inputTokens} tokens in, ${run.cost.outputTokens} out, ${run.cost.interactions} model calls`,
  ];
}

function verdictLines({ verdict }: ShownRun): string[] {
  if (verdict === null) return [];
  const degraded = verdict.degraded ? ', degraded' : '';
  const line = `${verdict.disposition}  ${outcomeWord(verdict.outcome)}  ${verdict.confidence.toFixed(2)} (${verdict.confidenceSource})  by ${verdict.method}${degraded}`;
  return section('verdict', [line, ...verdict.reasons.map((reason) => `- ${oneLine(reason)}`)]);
}

function reportLines(run: ShownRun): string[] {
  const report = run.artifacts.filter((record) => record.artifact === 'report').at(-1);
  const markdown = report?.body['markdown'];
  return typeof markdown === 'string' ? manyLines(markdown).split('\n') : [];
}

function evidenceText(item: ShownRun['evidence'][number]): string {
  const about = `${oneLine(item.toolName)}  ${oneLine(item.entityType)} ${excerpt(item.entityValue, 60)}`;
  if (!item.success) return `${about}  gap: ${oneLine(item.reason ?? 'unknown')}`;
  return `${about}  ${excerpt(JSON.stringify(item.result), TEXT_WIDTH)}`;
}

function toolCallText(call: ToolCall): string {
  const why = call.reasonCode === null ? '' : ` ${oneLine(call.reasonCode)}`;
  return `${oneLine(call.tool)}  ${call.state}${why}  tries ${call.attempts}  ${call.durationMs ?? '-'} ms`;
}

function interactionText(it: ShownRun['interactions'][number], { toolCalls }: ShownRun): string {
  const reasoning = it.hasReasoning ? '  with reasoning' : '';
  const error = it.errorCode === null ? '' : ` ${oneLine(it.errorCode)}`;
  // A tool that asked numbers its own steps.
  const tool = it.toolCallId ? toolCalls.find(({ id }) => id === it.toolCallId) : undefined;
  const by = tool === undefined ? '' : ` ${oneLine(tool.tool)}`;
  const place = `${it.stage} round ${it.round}${by} step ${it.step} try ${it.attempt}`;
  return `${place}  ${oneLine(it.provider)} ${oneLine(it.model)}  ${it.state}${error}  ${it.latencyMs ?? '-'} ms${reasoning}`;
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

import type { RunSpan, RunSpans } from '@casefile/contracts';
import { excerpt } from '@casefile/kit/output/escape';

const BAR_WIDTH = 30;
const NAME_WIDTH = 38;

/** Returns the time of a run as lines: name, a bar on the time axis, duration, tokens, cost. */
export function spanLines({ runId, spans }: Pick<RunSpans, 'runId' | 'spans'>, now: number): string[] {
  const [run, ...parts] = spans;
  if (run === undefined) return [];
  const endMs = ({ end }: RunSpan) => (end === null ? now : Date.parse(end));
  const startMs = Date.parse(run.start);
  const wholeMs = Math.max(1, ...spans.map((span) => endMs(span) - startMs));
  const depths = new Map<string, number>([[run.id, 0]]);
  const lines = parts.map((span) => {
    const depth = (depths.get(span.parentId ?? run.id) ?? 0) + 1;
    depths.set(span.id, depth);
    const ms = Math.max(0, endMs(span) - Date.parse(span.start));
    const from = Math.min(
      BAR_WIDTH - 1,
      Math.floor(((Date.parse(span.start) - startMs) / wholeMs) * BAR_WIDTH),
    );
    const width = Math.min(BAR_WIDTH - from, Math.max(1, Math.round((ms / wholeMs) * BAR_WIDTH)));
    const bar = `${' '.repeat(from)}${(span.kind === 'wait' ? '.' : '#').repeat(width)}`.padEnd(BAR_WIDTH);
    const indent = '  '.repeat(depth);
    const name = `${indent}${excerpt(spanText(span), NAME_WIDTH - indent.length)}`.padEnd(NAME_WIDTH);
    return `${name} |${bar}| ${Math.round(ms)} ms${spentText(span)}`;
  });
  return [`time of run ${runId}: ${Math.round(wholeMs)} ms`, ...lines];
}

function spanText({ kind, name, round, unit, state }: RunSpan): string {
  const failed = state === 'failed' ? ' (failed)' : '';
  if (kind === 'wait') return `wait: ${name}`;
  if (kind !== 'stage') return `${name}${failed}`;
  const where = [...((round ?? 1) > 1 ? [`round ${round}`] : []), ...(unit ? [unit] : [])];
  return `${[name, ...where].join(', ')}${failed}`;
}

function spentText({ costUsd, inputTokens, outputTokens }: RunSpan): string {
  if (inputTokens + outputTokens === 0) return '';
  return `, ${inputTokens + outputTokens} tokens, ${costUsd === null ? 'no price' : `${costUsd} USD`}`;
}

import type { RunSpan, RunSpans } from '@casefile/contracts';
import { sectionId } from './timeline.js';

/** One row of the waterfall; positions are shares of the time of the run, from 0 to 1. */
export interface SpanRow {
  span: RunSpan;
  /** 0: a stage. */
  depth: number;
  from: number;
  width: number;
  /** Share of the bar during which the tool worked, drawn at its end; null: the bar is not divided. */
  worked: number | null;
  ms: number;
  /** URL fragment (`#…`) of the element that shows this span; null: none does. */
  target: string | null;
}

export interface Waterfall {
  ms: number;
  rows: SpanRow[];
  /** The longest piece that is not divided further. */
  longest: SpanRow | null;
}

/** Returns the rows of a waterfall. Spans that have not ended reach to `now`, in milliseconds since 1970. */
export function waterfall({ spans }: Pick<RunSpans, 'spans'>, now: number): Waterfall {
  const [run, ...parts] = spans;
  if (run === undefined) return { ms: 0, rows: [], longest: null };
  const endMs = ({ end }: RunSpan) => (end === null ? now : Date.parse(end));
  const startMs = Date.parse(run.start);
  const ms = Math.max(1, endMs(run) - startMs, ...parts.map((span) => endMs(span) - startMs));
  const depths = new Map<string, number>([[run.id, -1]]);
  const rows = parts.map((span) => {
    const depth = (depths.get(span.parentId ?? run.id) ?? -1) + 1;
    depths.set(span.id, depth);
    const own = Math.max(0, endMs(span) - Date.parse(span.start));
    const from = Math.min(1, Math.max(0, (Date.parse(span.start) - startMs) / ms));
    const worked = span.workMs === null || own === 0 ? null : Math.min(1, span.workMs / own);
    return {
      span,
      depth,
      from,
      width: Math.min(1 - from, own / ms),
      worked,
      ms: own,
      target: spanTarget(span),
    };
  });
  const parents = new Set(parts.map(({ parentId }) => parentId));
  const whole = rows.filter(({ span }) => !parents.has(span.id));
  const longest = whole.reduce<SpanRow | null>((a, b) => (a === null || b.ms > a.ms ? b : a), null);
  return { ms, rows, longest };
}

function spanTarget({ id, kind, stage, round, unit }: RunSpan): string | null {
  if (kind === 'tool') return `tool-${id}`;
  if (kind === 'model') return `interaction-${id}`;
  return stage === null ? null : sectionId(stage, round ?? 1, unit ?? '');
}

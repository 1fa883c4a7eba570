import type { SentSpan } from './collector.js';

/** Attributes of a span that are shown after its name. */
export type Facts = (span: SentSpan) => string;

/** The spans of one trace as a tree, children in the order in which they began; a lost parent is a root. */
export function traceTree(spans: SentSpan[], facts: Facts): string {
  const known = new Set(spans.map((span) => span.spanId));
  const byStart = [...spans].sort((a, b) => Number(a.startNano - b.startNano));
  const childrenOf = (id: string | null): SentSpan[] =>
    byStart.filter(({ parentSpanId: parent }) =>
      id === null ? parent === null || !known.has(parent) : parent === id,
    );
  const lines = (id: string | null, indent: string): string[] =>
    childrenOf(id).flatMap((span) => [
      `${indent}${span.name}${facts(span)}`,
      ...lines(span.spanId, `${indent}  `),
    ]);
  return lines(null, '').join('\n');
}

/** Service, duration, and where it is a call of a model what it used. */
export const inFull: Facts = ({ service, startNano, endNano, attributes }) => {
  const ms = (Number(endNano - startNano) / 1e6).toFixed(1);
  const tokens = attributes['gen_ai.usage.input_tokens'];
  const used =
    tokens === undefined
      ? ''
      : `, ${String(tokens)} + ${String(attributes['gen_ai.usage.output_tokens'])} tokens`;
  return ` (${service}, ${ms} ms${used})`;
};

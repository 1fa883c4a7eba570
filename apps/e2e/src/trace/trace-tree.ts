import type { SentSpan } from './collector.js';

/** Attributes of a span that are shown after its name. */
export type Facts = (span: SentSpan) => string;

/**
 * Returns the spans of one trace as a tree, children in order of their start. A span whose parent is missing
 * is a root.
 */
export function traceTree(spans: SentSpan[], facts: Facts): string {
  const spanIds = new Set(spans.map((span) => span.spanId));
  const byStart = [...spans].sort((a, b) => Number(a.startNano - b.startNano));
  const childrenOf = (id: string | null): SentSpan[] =>
    byStart.filter(({ parentSpanId: parent }) =>
      id === null ? parent === null || !spanIds.has(parent) : parent === id,
    );
  const lines = (id: string | null, indent: string): string[] =>
    childrenOf(id).flatMap((span) => [
      `${indent}${span.name}${facts(span)}`,
      ...lines(span.spanId, `${indent}  `),
    ]);
  return lines(null, '').join('\n');
}

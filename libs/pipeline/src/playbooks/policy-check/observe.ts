import { z, type ToolCall } from '@casefile/contracts';
import { firstCodePoints, inLine } from '../../plain-text.js';

/** Of a section in a search's observation, in characters: exact words are asked for by themselves. */
const SECTION_SHOWN = 600;
const SPAN_SHOWN = 600;
const VALUE_SHOWN = 400;

const pages = z.object({ from: z.number(), to: z.number() }).nullable();
const searched = z.object({
  nodes: z.array(z.object({ nodeId: z.string(), title: z.string(), pages, text: z.string() })),
});
const tightened = z.object({
  spans: z.array(z.object({ nodeId: z.string(), pages, text: z.string() })),
  unknownNodes: z.array(z.string()),
});
const reading = z.object({
  factId: z.string(),
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  unit: z.string().nullable(),
  confidence: z.number(),
  document: z.string().nullable(),
  page: z.number().nullable(),
});
const facts = z.object({ readings: z.array(reading), known: z.array(z.string()) });

/** What a model is told of a call, in as few words as it needs. S4-24 keeps the whole on the record. */
export function observe(call: ToolCall): string {
  if (call.state !== 'succeeded') {
    const why = call.message ?? 'no answer in time';
    return `error ${call.reasonCode ?? 'tool_timeout'}: ${inLine(why)}`;
  }
  const asked = inLine(String(call.args['query'] ?? call.args['name'] ?? ''), 200);
  if (call.tool === 'facts_get') return factLines(facts.parse(call.result), asked);
  if (call.tool === 'spans_tighten') return spanLines(tightened.parse(call.result));
  return sectionLines(searched.parse(call.result), asked);
}

function sectionLines({ nodes }: z.infer<typeof searched>, asked: string): string {
  if (nodes.length === 0) return `no section found for "${asked}"`;
  return nodes
    .map((node) => `${headOf(node)} ${node.title}${onPages(node.pages)}\n${indented(node.text)}`)
    .join('\n');
}

function indented(text: string): string {
  const shown = firstCodePoints(text.trim(), SECTION_SHOWN);
  return shown.replace(/^/gm, '  ');
}

function spanLines({ spans, unknownNodes }: z.infer<typeof tightened>): string {
  const lines = spans.map(
    (span) => `${headOf(span)} "${inLine(span.text, SPAN_SHOWN)}"${onPages(span.pages)}`,
  );
  if (spans.length === 0) lines.push('no such words in these sections');
  if (unknownNodes.length > 0) lines.push(`no section has the id ${unknownNodes.join(', ')}`);
  return lines.join('\n');
}

function factLines({ readings, known }: z.infer<typeof facts>, asked: string): string {
  if (readings.length === 0)
    return `no fact named "${asked}"; there are: ${known.length === 0 ? 'none' : known.join(', ')}`;
  return readings.map(factLine).join('\n');
}

function factLine({
  factId,
  name,
  value,
  unit,
  confidence,
  document,
  page,
}: z.infer<typeof reading>): string {
  const place = [document, page === null ? null : `p. ${page}`].filter((part) => part !== null).join(' ');
  const shown = inLine(unit === null ? String(value) : `${value} ${unit}`, VALUE_SHOWN);
  const sure = [`confidence ${confidence}`, ...(place === '' ? [] : [inLine(place)])].join(', ');
  return `fact ${inLine(factId)}: ${inLine(name)} = ${shown} (${sure})`;
}

const headOf = ({ nodeId }: { nodeId: string }) => `[${nodeId}]`;
function onPages(span: { from: number; to: number } | null): string {
  if (span === null) return '';
  return span.from === span.to ? ` (p. ${span.from})` : ` (p. ${span.from}-${span.to})`;
}

import { z, type ToolCall } from '@casefile/contracts';
import { firstCodePoints, inLine } from '../../plain-text.js';

/** Of a section in a search's observation, in characters, the best first: exact words are asked for by themselves. */
const SECTIONS_SHOWN = [600, 600];
const FURTHER_SHOWN = 300;
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

/**
 * What a model is told of a call, in as few words as it needs: every later turn is charged for them. S4-24 keeps the
 * whole on the record.
 * @param before calls that it was told of: a section that they showed is named and not shown again.
 */
export function observe(call: ToolCall, before: readonly ToolCall[]): string {
  if (call.state !== 'succeeded') {
    const why = call.message ?? 'no answer in time';
    return `error ${call.reasonCode ?? 'tool_timeout'}: ${inLine(why)}`;
  }
  const asked = inLine(String(call.args['query'] ?? call.args['name'] ?? ''), 200);
  if (call.tool === 'facts_get') return factLines(facts.parse(call.result), asked);
  if (call.tool === 'spans_tighten') return spanLines(tightened.parse(call.result));
  return sectionLines(searched.parse(call.result), asked, shownBy(before));
}

function shownBy(calls: readonly ToolCall[]): ReadonlySet<string> {
  const searches = calls.filter(({ tool, state }) => tool === 'pi_search' && state === 'succeeded');
  return new Set(searches.flatMap(({ result }) => searched.parse(result).nodes.map(({ nodeId }) => nodeId)));
}

function sectionLines(
  { nodes }: z.infer<typeof searched>,
  asked: string,
  shown: ReadonlySet<string>,
): string {
  if (nodes.length === 0) return `no section found for "${asked}"`;
  const lines = nodes.map((node, at) => {
    const head = `${headOf(node)} ${node.title}${onPages(node.pages)}`;
    if (shown.has(node.nodeId)) return `${head}: shown above`;
    return `${head}\n${indented(node.text, SECTIONS_SHOWN[at] ?? FURTHER_SHOWN)}`;
  });
  return lines.join('\n');
}

function indented(text: string, most: number): string {
  return firstCodePoints(text.trim(), most).replace(/^/gm, '  ');
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
  // Most ids are the name and a number.
  const named = factId.startsWith(`${name}#`) ? '' : `: ${inLine(name)}`;
  return `fact ${inLine(factId)}${named} = ${shown} (${sure})`;
}

const headOf = ({ nodeId }: { nodeId: string }) => `[${nodeId}]`;
function onPages(span: { from: number; to: number } | null): string {
  if (span === null) return '';
  return span.from === span.to ? ` (p. ${span.from})` : ` (p. ${span.from}-${span.to})`;
}

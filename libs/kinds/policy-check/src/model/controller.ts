import {
  factName,
  type ModelMessage,
  factNames,
  factsNamed,
  type CitableFact,
  type JsonObject,
  z,
  type ToolCall,
} from '@casefile/contracts';
import { markHidden } from '@casefile/pipeline/language/without-disguises';
import { inLine, firstCodePoints } from '@casefile/pipeline/plain-text';
import type { ThinkAloud } from '@casefile/pipeline/strategy';
import { fencedText } from '@casefile/pipeline/fence';
import { definePrompt, type PromptTexts } from '@casefile/pipeline/prompts/prompt';
import { type CheckedBundle, type Criterion, bundleOf, bundleCriterion } from '../case-bundle.js';
import { defineController } from '@casefile/pipeline/strategies/react/controller';
import { crossExamination, reactPrompt } from './react-prompt.js';
import { finishParameters, finishSchema, settle } from './settle.js';

const NAMES_SHOWN = 120;

/** Questions that a model which thinks aloud answers before each turn. */
const thinkAloud: ThinkAloud = definePrompt({
  id: 'policy-check/think-aloud@1',
  file: new URL('../prompts/think-aloud@1.md', import.meta.url),
  sections: { thoughts: [] },
});

/** Returns the first messages of a check. A golden file contains their exact text. */
export function bundleOpening(
  bundle: CheckedBundle,
  { text: criterion }: Criterion,
  mark: string,
  prompts: PromptTexts,
): ModelMessage[] {
  const { policy, title, facts } = bundle;
  const names = [...new Set(facts.map(({ name }) => factName(name)))];
  const more = names.length > NAMES_SHOWN ? `, and ${names.length - NAMES_SHOWN} more` : '';
  const about = [`policy: ${inLine(policy.title)}`, ...(title === null ? [] : [`case: ${inLine(title)}`])];
  const text = prompts.of(reactPrompt);
  return [
    { role: 'system', content: text.render({ system: {} }) },
    {
      role: 'user',
      content: text.render({
        about: { about: fencedText(markHidden(about.join('\n')), mark) },
        criterion: { criterion: fencedText(markHidden(criterion), mark) },
        facts: { facts: fencedText(`${names.slice(0, NAMES_SHOWN).join(', ') || 'none'}${more}`, mark) },
      }),
    },
  ];
}

/** Maximum number of names that the result of a failed search suggests. */
const NAMES_TOLD = 100;

/** Controller of the turns in which a model checks a criterion. */
export const controller = defineController({
  prompt: reactPrompt,
  morePrompts: { crossExamination },
  thinkAloud,
  tools: ['pi_search', 'facts_get', 'spans_tighten'],
  finish: {
    name: 'finish',
    description: 'Ends the check.',
    parameters: finishParameters,
    schema: finishSchema,
  },
  open({ brief }, unit, mark, prompts) {
    const bundle = bundleOf(brief);
    return bundleOpening(bundle, bundleCriterion(bundle, unit), mark, prompts);
  },
  // The model cannot choose these arguments: a run keeps the version of its policy and the facts of its case.
  bind(tool, { brief }, _unit, { name }): JsonObject {
    const { policy, facts } = bundleOf(brief);
    if (tool === 'facts_get') return factsFor(String(name), facts);
    return { policyId: policy.policyId, version: policy.version };
  },
  observe,
  settle,
});

// Passes only the facts with a matching name. Every call is recorded with its input, and a case may have
// megabytes.
function factsFor(asked: string, facts: readonly CitableFact[]): JsonObject {
  const named = factsNamed(facts, asked);
  const known = named.length > 0 ? [] : factNames(facts).slice(0, NAMES_TOLD);
  return { facts: named as unknown as JsonObject[], known };
}

/**
 * Number of characters shown of the best sections of a search. For more, the model requests a section by its
 * id.
 */
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
 * Returns the text about a call for the model. It is short, because every later turn is charged for it. The
 * record keeps the whole result.
 * @param before calls whose results the model has. A section that they showed is named and not repeated.
 */
function observe(call: ToolCall, before: readonly ToolCall[]): string {
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
    return `${head}\n${indentedText(node.text, SECTIONS_SHOWN[at] ?? FURTHER_SHOWN)}`;
  });
  return lines.join('\n');
}

function indentedText(text: string, most: number): string {
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
  // Most ids consist of the name and a number, so the name is not repeated.
  const named = factId.startsWith(`${name}#`) ? '' : `: ${inLine(name)}`;
  return `fact ${inLine(factId)}${named} = ${shown} (${sure})`;
}

const headOf = ({ nodeId }: { nodeId: string }) => `[${nodeId}]`;
function onPages(span: { from: number; to: number } | null): string {
  if (span === null) return '';
  return span.from === span.to ? ` (p. ${span.from})` : ` (p. ${span.from}-${span.to})`;
}

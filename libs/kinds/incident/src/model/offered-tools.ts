import type { FrozenTool } from '@casefile/contracts';
import { isStopWord } from '@casefile/pipeline/reading/index';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import { runbookIn, toolsNamedIn } from '../runbook.js';

/**
 * Tools that a model is offered. With `stored_result` and `stop` they are 40: providers refuse more than 128 tools, and
 * models choose worse among many.
 */
export const MOST_OFFERED = 38;
/** Characters of the alert whose words are compared. */
const MOST_TEXT = 20_000;
/** Weight of a tool that the runbook names or that is required: more than any number of shared words. */
const NAMED = 1_000_000;

/**
 * Returns the tools that the model of an incident is offered, in their order. Of more than 38: those that the runbook
 * names or the installation requires, the best of each source, then those that share most words with the alert.
 */
export function offeredTools({ brief, evidence }: Pick<ReasonInput, 'brief' | 'evidence'>): FrozenTool[] {
  const { tools = [] } = evidence;
  if (tools.length <= MOST_OFFERED) return tools;
  const runbook = runbookIn(evidence);
  const named = new Set(runbook === null ? [] : toolsNamedIn(runbook.text));
  const words = wordsIn(`${brief.text.slice(0, MOST_TEXT)} ${runbook?.text.slice(0, MOST_TEXT) ?? ''}`);
  const weighed = tools.map((tool, place) => {
    const own = wordsIn(`${tool.name} ${tool.description}`);
    const shared = [...own].filter((word) => words.has(word)).length;
    return { tool, place, weight: shared + (named.has(tool.name) || tool.required ? NAMED : 0) };
  });
  const ranked = weighed.toSorted((a, b) => b.weight - a.weight || a.place - b.place);
  const seen = new Set<string>();
  const isFirst = ranked.map(({ tool: { source } }) => !seen.has(source) && seen.add(source) !== undefined);
  const rank = ({ weight }: { weight: number }, i: number) => (weight >= NAMED ? 0 : isFirst[i] ? 1 : 2);
  return ranked
    .map((one, i) => ({ ...one, rank: rank(one, i) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_OFFERED)
    .toSorted((a, b) => a.place - b.place)
    .map(({ tool }) => tool);
}

function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\d]{3,40}/gu) ?? [];
  return new Set(words.filter((word) => !isStopWord(word)));
}

import type { FrozenTool } from '@casefile/contracts';
import { isStopWord } from '@casefile/pipeline/reading/index';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import { runbookIn, toolsNamedIn } from '../runbook.js';

/**
 * Tools that a model is offered. With `stored_result`, `causes` and `stop` they are 40: providers refuse more than 128 tools, and
 * models choose worse among many.
 */
export const MOST_OFFERED = 37;
/** Characters of the alert whose words are compared. */
const MOST_TEXT = 20_000;

/**
 * Returns the tools that the model of an incident is offered, in their order. Of more than 37: those that the runbook
 * names or the installation requires, the best of each source, then those that share most words with the alert.
 */
export function offeredTools({ brief, evidence }: Pick<ReasonInput, 'brief' | 'evidence'>): FrozenTool[] {
  const { tools = [] } = evidence;
  if (tools.length <= MOST_OFFERED) return tools;
  const runbook = runbookIn(evidence);
  const named = new Set(runbook === null ? [] : toolsNamedIn(runbook.text));
  const words = wordsIn(`${brief.text.slice(0, MOST_TEXT)} ${runbook?.text.slice(0, MOST_TEXT) ?? ''}`);
  const ranked = tools
    .map((tool, place) => ({
      tool,
      place,
      isNamed: named.has(tool.name) || tool.required,
      shared: [...wordsIn(`${tool.name} ${tool.description}`)].filter((word) => words.has(word)).length,
    }))
    .toSorted((a, b) => b.shared - a.shared || a.place - b.place);
  const best = new Map(ranked.toReversed().map((one) => [one.tool.source, one]));
  const rank = (one: (typeof ranked)[number]) =>
    one.isNamed ? 0 : best.get(one.tool.source) === one ? 1 : 2;
  return ranked
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_OFFERED)
    .toSorted((a, b) => a.place - b.place)
    .map(({ tool }) => tool);
}

function wordsIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\d]{3,40}/gu) ?? [];
  return new Set(words.filter((word) => !isStopWord(word)));
}

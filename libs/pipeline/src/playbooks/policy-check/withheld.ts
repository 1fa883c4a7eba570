import { z, type CriterionResult, type Json } from '@casefile/contracts';
import type { GroundSection } from './ground.js';

/** A section whose words stay on the record. */
interface Confidential {
  nodeId: string;
  title: string;
  text: string;
}

const shown = z.object({
  nodeId: z.string(),
  title: z.string().default(''),
  text: z.string(),
  confidential: z.literal(true),
});
const listed = z.object({
  nodes: z.array(z.unknown()).default([]),
  sections: z.array(z.unknown()).default([]),
  spans: z.array(z.unknown()).default([]),
});
/** Words in a row that are taken for words of a section. */
const RUN = 4;
const WITHHELD = '[words of a confidential section]';

/**
 * What leaves Casefile in place of a result's words, where confidential sections were looked at; nothing where none
 * was. The result itself keeps them, for the record. S4-15.
 * @param results of the look-ups that were made.
 * @param sections that were read whole.
 */
export function withheldOf(
  { rationale }: Pick<CriterionResult, 'rationale'>,
  results: readonly Json[],
  sections: ReadonlyMap<string, GroundSection> = new Map(),
): Pick<CriterionResult, 'withheld'> {
  const whole = [...sections].flatMap(([nodeId, { title, text, confidential }]) =>
    confidential === true ? [{ nodeId, title, text }] : [],
  );
  const all = [...whole, ...results.flatMap(confidentialIn)];
  if (all.length === 0) return {};
  const nodeIds = [...new Set(all.map(({ nodeId }) => nodeId))].sort();
  return { withheld: { nodeIds, rationale: withoutWordsOf(rationale, all) } };
}

function confidentialIn(result: Json): Confidential[] {
  const read = listed.safeParse(result);
  if (!read.success) return [];
  const { nodes, sections, spans } = read.data;
  return [...nodes, ...sections, ...spans].flatMap((one) => {
    const found = shown.safeParse(one);
    return found.success ? [found.data] : [];
  });
}

/** A text without runs of words that a confidential section has; case, space and signs between them do not matter. */
function withoutWordsOf(text: string, sections: readonly Confidential[]): string {
  const runs = new Set(sections.flatMap((section) => runsOf(wordsIn(section.text))));
  const words = wordsIn(text);
  const hidden = new Set(
    runsOf(words).flatMap((run, i) =>
      runs.has(run) ? Array.from({ length: RUN }, (_none, k) => i + k) : [],
    ),
  );
  let out = '';
  let at = 0;
  for (const [i, { from, to }] of words.entries()) {
    if (!hidden.has(i)) continue;
    if (!hidden.has(i - 1)) out += `${text.slice(at, from)}${WITHHELD}`;
    at = to;
  }
  return out + text.slice(at);
}

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({
    ...{ word: match[0].toLowerCase(), from: match.index },
    to: match.index + match[0].length,
  }));

const runsOf = (words: readonly { word: string }[]): string[] =>
  Array.from({ length: Math.max(0, words.length - RUN + 1) }, (_none, i) =>
    words
      .slice(i, i + RUN)
      .map(({ word }) => word)
      .join(' '),
  );

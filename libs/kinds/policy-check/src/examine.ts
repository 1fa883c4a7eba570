import {
  criterionResultSchema,
  reasonInWords,
  type CitableFact,
  type CriterionResult,
  type Draft,
} from '@casefile/contracts';
import type { Examination } from '@casefile/pipeline/parts/cross-examining';
import type { ClaimSource } from '@casefile/pipeline/parts/examined-matter';
import { inLine } from '@casefile/pipeline/plain-text';
import { bundleOf } from './case-bundle.js';
import { crossExamination } from './model/react-prompt.js';
import { options } from './options.js';
import { FACTS, sectionsIn } from './read-sections.js';
import { ruledAnswer } from './rules/check-by-rules.js';
import { isContradicted } from './standing-result.js';
import { STATUS_WORDS } from './words.js';

/** Id of the answer in the cross-examination. */
export const CLAIM = 'C1';
const MOST_FACTS = 200;
const VALUE_SHOWN = 400;

/**
 * Cross-examination of a criterion: its status and the reason for it are one claim. An answer that the rules
 * reach on their own, or that the record contradicts, needs no question.
 */
export const examination: Examination = {
  limits: (settings) => {
    const { crossExamine, callTimeoutMs, plantedClaims } = options.read(settings.options);
    return { crossExamine, timeoutMs: callTimeoutMs, plantedClaims };
  },
  matter(input, review, settings) {
    const result = resultToExamine(input);
    if (
      result === null ||
      isContradicted(review, settings) ||
      ruledAnswer(input, result.id)?.status === result.status
    )
      return null;
    const { policy, title, facts } = bundleOf(input.brief);
    const sections = sectionsIn(input.draft);
    const cited = new Set(result.citations.flatMap((one) => (one.kind === 'quote' ? [one.nodeId] : [])));
    const about = [`policy: ${policy.title}`, ...(title === null ? [] : [`case: ${title}`])];
    return {
      prompt: crossExamination,
      about: [...about, `criterion: ${result.text}`].join('\n'),
      claims: [
        {
          id: CLAIM,
          text: claimText(result),
          sources: [...sections.flatMap(({ nodeId, name }) => (cited.has(nodeId) ? [name] : [])), FACTS],
        },
      ],
      sources: [
        ...sections.map(({ name, title: heading, text }) => ({ id: name, title: heading, text })),
        factsAsSource(facts, result),
      ],
      // The reason compares a fact with a limit, so a quote may state either. The verdict compares the quote itself.
      isOfOther: () => false,
      asClaim: (statement) => claimText({ ...result, rationale: statement }),
    };
  },
  words: () => ({
    removed: ({ answer, quote, sources }) =>
      answer === 'contradicts' && quote !== null
        ? `A second model question found that a source contradicts the answer: “${inLine(quote.words)}” [${quote.source}].`
        : `A second model question found nothing in the cited sources (${sources.join(', ')}) that supports the answer.`,
    missing: (why) =>
      `A second model question did not confirm the answer${why === null ? '' : `: ${reasonInWords(why)}`}.`,
  }),
};

/** Returns the decided answer of a model; null: there is none. */
export function resultToExamine({ draft }: { draft: Draft }): CriterionResult | null {
  const read = criterionResultSchema.safeParse(draft.answer);
  return read.success && draft.method === 'llm' && read.data.status !== 'UNCERTAIN' ? read.data : null;
}

const claimText = ({ status, rationale }: CriterionResult): string =>
  `The criterion is ${STATUS_WORDS[status]}: ${rationale}`;

/** The facts of the case, one per line, the cited ones first. */
function factsAsSource(facts: readonly CitableFact[], { citations }: CriterionResult): ClaimSource {
  const cited = new Set(citations.flatMap((one) => (one.kind === 'fact' ? one.factIds : [])));
  const sorted = facts.toSorted((a, b) => Number(cited.has(b.id)) - Number(cited.has(a.id)));
  const lines = sorted.slice(0, MOST_FACTS).map(factLine);
  return { id: FACTS, title: 'Facts of the case', text: lines.join('\n'), isLines: true };
}

function factLine({ name, value, unit, document, page }: CitableFact): string {
  const place = [document ?? '', page === undefined ? '' : `p. ${page}`].filter((part) => part !== '');
  const shown = inLine(`${value}${unit === undefined ? '' : ` ${unit}`}`, VALUE_SHOWN);
  return `${inLine(name, 200)} = ${shown}${place.length === 0 ? '' : ` (${inLine(place.join(', '))})`}`;
}

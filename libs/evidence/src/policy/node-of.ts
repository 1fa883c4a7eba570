import type { JsonObject } from '@casefile/contracts';
import type { FoundSection } from './search-policy-tree.js';

/** Characters of a section's text in what a search found: the exact words are asked for by `spans_tighten`. */
const TEXT_LENGTH = 2_000;

/** Where a section is, as the results of tools say it. */
export function placesOf({ nodeId, title, path, pages, lines, confidential }: FoundSection): JsonObject {
  return {
    nodeId,
    title,
    path,
    pages: pages && { ...pages },
    lines: lines && { ...lines },
    ...markOf(confidential),
  };
}

/** A section that was found, as the results of searches show it: a long text is cut, and said to be. */
export function nodeOf(section: FoundSection): JsonObject {
  const { text } = section;
  const cut = text.length > TEXT_LENGTH;
  return { ...placesOf(section), text: cut ? text.slice(0, TEXT_LENGTH) : text, cut };
}

/** S4-15: said where it is so, and not said otherwise. */
export const markOf = (confidential: true | undefined): JsonObject =>
  confidential === true ? { confidential } : {};

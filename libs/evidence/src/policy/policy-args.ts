import { CasefileError, z, type PolicyDocuments, type JsonObject } from '@casefile/contracts';
import type { FoundSection } from './search-policy-tree.js';

/** Which version of which policy: bound by the strategy, for a run keeps to the version it began with. */
export const policyArgs = {
  policyId: z.string().min(1).max(100),
  version: z.number().int().min(1).max(2_147_483_647),
};

/** What is looked for in a policy, and in how many sections at most. */
export const searchAsks = {
  query: z.string().trim().min(1).max(500),
  limit: z.number().int().min(1).max(10).default(4),
};

/** @throws CasefileError `not_configured` in a process without a store of policies. */
export function neededPolicies(policies: PolicyDocuments | undefined): PolicyDocuments {
  if (policies !== undefined) return policies;
  throw new CasefileError('not_configured', 'This process was started without policy documents');
}

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

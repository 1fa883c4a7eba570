import { CasefileError, z, type PolicyDocuments, type JsonObject } from '@casefile/contracts';
import type { FoundSection } from './search-policy-tree.js';

/** Policy and version. The strategy sets them, because a run keeps the version it began with. */
export const policyArgs = {
  policyId: z.string().min(1).max(100),
  version: z.number().int().min(1).max(2_147_483_647),
};

/** Query of a policy search, and the most sections to return. */
export const searchAsks = {
  query: z.string().trim().min(1).max(500),
  limit: z.number().int().min(1).max(10).default(4),
};

/** @throws CasefileError `not_configured` in a process without a policy store. */
export function neededPolicies(policies: PolicyDocuments | undefined): PolicyDocuments {
  if (policies !== undefined) return policies;
  throw new CasefileError('not_configured', 'This process was started without policy documents');
}

/** Characters of a section's text in a search result. `spans_tighten` returns the exact words. */
const TEXT_LENGTH = 2_000;

/** Place of a section, as returned by tools. */
export function foundSectionPlaces({
  nodeId,
  title,
  path,
  pages,
  lines,
  confidential,
}: FoundSection): JsonObject {
  return {
    nodeId,
    title,
    path,
    pages: pages && { ...pages },
    lines: lines && { ...lines },
    ...confidentialMark(confidential),
  };
}

/** A found section as returned by searches; a long text is cut and marked as cut. */
export function sectionNode(section: FoundSection): JsonObject {
  const { text } = section;
  const cut = text.length > TEXT_LENGTH;
  return { ...foundSectionPlaces(section), text: cut ? text.slice(0, TEXT_LENGTH) : text, cut };
}

/** The mark of a confidential section; nothing for other sections. */
export const confidentialMark = (confidential: true | undefined): JsonObject =>
  confidential === true ? { confidential } : {};

import { z, type PolicySections } from '@casefile/contracts';
import type { Handler } from '../http/route.js';
import { neededVersion, policyVersionParams } from '../policy-version.js';

/** A text has up to 100,000 characters: more at once would be an answer of many megabytes. */
const MOST_SECTIONS = 50;

export const getPolicySectionsInput = {
  params: policyVersionParams,
  query: z.strictObject({
    ids: z
      .string()
      .max(MOST_SECTIONS * 65)
      .transform((text) => [...new Set(text.split(','))])
      .pipe(
        z.array(z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected an id of a section')).max(MOST_SECTIONS),
      ),
  }),
};

/** Sections of a version with their whole texts, in the order of the document. */
export const getPolicySections: Handler<typeof getPolicySectionsInput, PolicySections> = async (
  { policies },
  { params, query },
) => {
  const { policyId, version } = await neededVersion(policies, params);
  const sections = await policies.policySections({ policyId, version }, query.ids);
  const there = new Set(sections.map(({ nodeId }) => nodeId));
  return { policyId, version, sections, unknownNodes: query.ids.filter((id) => !there.has(id)) };
};

import {
  CasefileError,
  policyDocumentSchema,
  policyListSchema,
  policySectionsSchema,
  z,
  type PolicyVersion,
} from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

/**
 * Maximum number of sections per answer. A text has up to 100,000 characters: more sections would be many
 * megabytes.
 */
const MOST_SECTIONS = 50;

/** Policy and version that a path names. */
const policyVersionParams = z.object({
  policyId: z.string().max(100),
  version: z.string().regex(/^(current|[1-9]\d{0,8})$/, 'expected a number from 1 on, or "current"'),
});

/**
 * Returns the version that a path names. @throws CasefileError `not_found` that names what is missing: policy
 * or version.
 */
async function neededVersion(
  policies: ConsolePorts['policies'],
  { policyId, version }: z.infer<typeof policyVersionParams>,
): Promise<PolicyVersion> {
  const requestedVersion = version === 'current' ? undefined : Number(version);
  const policyVersion = await policies.policyVersion(policyId, requestedVersion);
  if (policyVersion !== null) return policyVersion;
  const current = requestedVersion === undefined ? null : await policies.policyVersion(policyId);
  throw new CasefileError(
    'not_found',
    current === null
      ? `no policy has the id "${policyId}"`
      : `the policy "${policyId}" has no version ${version}; the current one is ${current.version}`,
  );
}

/** The policies, for readers. */
export const policyRoutes = [
  route({
    method: 'get',
    path: '/policies',
    operationId: 'listPolicies',
    right: 'viewer',
    tag: 'policies',
    summary: 'The policies that were imported',
    input: {},
    answer: '{ policies }: the current version of each, with its title, language, format, pages and sections',
    response: policyListSchema,
    handler: async ({ policies }) => ({
      policies: await policies.listPolicies(),
    }),
  }),
  route({
    method: 'get',
    path: '/policies/{policyId}/versions/{version}',
    operationId: 'getPolicyVersion',
    right: 'viewer',
    tag: 'policies',
    summary: 'One version of a policy (or "current") with its tree of sections',
    input: { params: policyVersionParams },
    answer:
      'The version, currentVersion and nodes: each section with its title, parent, pages or lines and summary, without its text',
    response: policyDocumentSchema,
    handler: async ({ policies }, { params }) => {
      const policyVersion = await neededVersion(policies, params);
      const [current, nodes] = await Promise.all([
        policies.policyVersion(policyVersion.policyId),
        policies.policyTree(policyVersion),
      ]);
      return { ...policyVersion, currentVersion: current?.version ?? policyVersion.version, nodes };
    },
  }),
  route({
    method: 'get',
    path: '/policies/{policyId}/versions/{version}/sections',
    operationId: 'getPolicySections',
    right: 'viewer',
    tag: 'policies',
    summary: 'Sections of a policy with their whole texts: ?ids=0001,0002',
    input: {
      params: policyVersionParams,
      query: z.strictObject({
        ids: z
          .string()
          .max(MOST_SECTIONS * 65)
          .transform((text) => [...new Set(text.split(','))])
          .pipe(
            z
              .array(z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected an id of a section'))
              .max(MOST_SECTIONS),
          )
          .describe('Ids of sections, separated by commas.'),
      }),
    },
    answer: '{ policyId, version, sections, unknownNodes }, in the order of the document',
    response: policySectionsSchema,
    handler: async ({ policies }, { params, query }) => {
      const { policyId, version } = await neededVersion(policies, params);
      const sections = await policies.policySections({ policyId, version }, query.ids);
      const there = new Set(sections.map(({ nodeId }) => nodeId));
      return { policyId, version, sections, unknownNodes: query.ids.filter((id) => !there.has(id)) };
    },
  }),
];

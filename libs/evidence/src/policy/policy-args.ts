import { CasefileError, z, type PolicyDocuments } from '@casefile/contracts';

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

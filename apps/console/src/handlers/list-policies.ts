import type { PolicyList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listPoliciesInput = {};

/** The policies that were imported, the current version of each. */
export const listPolicies: Handler<typeof listPoliciesInput, PolicyList> = async ({ policies }) => ({
  policies: await policies.listPolicies(),
});

import type { PolicyDocument } from '@casefile/contracts';
import type { Handler } from '../http/route.js';
import { neededVersion, policyVersionParams } from '../policy-version.js';

export const getPolicyVersionInput = { params: policyVersionParams };

/** One version of a policy with its tree: every section without its text. */
export const getPolicyVersion: Handler<typeof getPolicyVersionInput, PolicyDocument> = async (
  { policies },
  { params },
) => {
  const found = await neededVersion(policies, params);
  const [current, nodes] = await Promise.all([
    policies.policyVersion(found.policyId),
    policies.policyTree(found),
  ]);
  return { ...found, currentVersion: current?.version ?? found.version, nodes };
};

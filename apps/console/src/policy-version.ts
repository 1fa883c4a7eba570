import { CasefileError, z, type PolicyVersion } from '@casefile/contracts';
import type { ConsolePorts } from './console-ports.js';

/** Which version of which policy a path names. */
export const policyVersionParams = z.object({
  policyId: z.string().max(100),
  version: z.string().regex(/^(current|[1-9]\d{0,8})$/, 'expected a number from 1 on, or "current"'),
});

/** The version that a path names. @throws CasefileError `not_found` that says which of the two is not there. */
export async function neededVersion(
  policies: ConsolePorts['policies'],
  { policyId, version }: z.infer<typeof policyVersionParams>,
): Promise<PolicyVersion> {
  const asked = version === 'current' ? undefined : Number(version);
  const found = await policies.policyVersion(policyId, asked);
  if (found !== null) return found;
  const current = asked === undefined ? null : await policies.policyVersion(policyId);
  throw new CasefileError(
    'not_found',
    current === null
      ? `no policy has the id "${policyId}"`
      : `the policy "${policyId}" has no version ${version}; the current one is ${current.version}`,
  );
}

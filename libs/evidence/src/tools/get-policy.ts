import { CasefileError, z, type PolicyDocuments, type Tool } from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';
import { neededPolicies, policyArgs } from '../policy/policy-args.js';

const NAME = 'policy_get';
const args = z.strictObject({ policyId: policyArgs.policyId, version: policyArgs.version.optional() });

/**
 * The requested version of a policy, else the current one. Result `{ policyId, version, title, language,
 * format, pages, sections }`. A run calls this once and keeps the version, because another may be imported
 * meanwhile. A missing policy fails with `unknown_policy`, because nothing can be checked without it.
 */
export function getPolicy(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Says which version of a policy document is there.',
    locality: 'local',
    reads: 'database',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, OWN_LOOK_UP, settings),
    async run(input, { signal }) {
      signal.throwIfAborted();
      const { policyId, version } = args.parse(input);
      const policy = await neededPolicies(policies).policyVersion(policyId, version);
      if (policy === null) throw notImported(policyId, version);
      const { title, language, format, pages, sections } = policy;
      return {
        result: { policyId, version: policy.version, title, language, format, pages, sections },
        source: `policy ${policyId} version ${policy.version}`,
      };
    },
  };
}

function notImported(policyId: string, version: number | undefined): CasefileError {
  const wanted = version === undefined ? 'policy' : `version ${version} of a policy`;
  return new CasefileError(
    'unknown_policy',
    `There is no ${wanted} ${JSON.stringify(policyId)}; import it with: casefile import policy FILE`,
  );
}

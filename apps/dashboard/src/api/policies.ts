import type { PolicyDocument, PolicyList, PolicySection, PolicySections } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Reads the imported policies. */
export function usePolicies() {
  return useQuery({
    queryKey: ['policies'],
    queryFn: ({ signal }) => getJson<PolicyList>('/policies', signal),
  });
}

function policyPath(policyId: string, version: string): string {
  return `/policies/${encodeURIComponent(policyId)}/versions/${encodeURIComponent(version)}`;
}

/** Reads one version of a policy with its tree. `version` may be `current`. */
export function usePolicyVersion(policyId: string, version: string) {
  return useQuery({
    queryKey: ['policy', policyId, version],
    queryFn: ({ signal }) => getJson<PolicyDocument>(policyPath(policyId, version), signal),
  });
}

/**
 * Reads a section with its whole text; null: this version has no such section. The text of a version never
 * changes.
 */
export function usePolicySection(policyId: string, version: number, nodeId: string) {
  return useQuery({
    queryKey: ['policy-section', policyId, version, nodeId],
    queryFn: async ({ signal }): Promise<PolicySection | null> => {
      const path = `${policyPath(policyId, String(version))}/sections?ids=${encodeURIComponent(nodeId)}`;
      return (await getJson<PolicySections>(path, signal)).sections[0] ?? null;
    },
    staleTime: Infinity,
  });
}

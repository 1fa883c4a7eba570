import { secretVariable, urlVariable, z, type VariableValues } from '@casefile/contracts';
import type { GuardedFetch, RequestContext } from '../fetch/guarded-fetch.js';
import { badAnswer } from '../fetch/read-json.js';

/** Variables of the tool that asks VirusTotal. */
export const VIRUS_TOTAL_VARIABLES = {
  VIRUSTOTAL_API_KEY: secretVariable('domain reputation', 'optional'),
  VIRUSTOTAL_BASE_URL: urlVariable('domain reputation', 'https://www.virustotal.com/api/v3'),
};

/** Returns the access to VirusTotal that the variables give. */
export function virusTotalOf(values: VariableValues<typeof VIRUS_TOTAL_VARIABLES>): {
  apiKey?: string;
  baseUrl: string;
} {
  return { apiKey: values.VIRUSTOTAL_API_KEY, baseUrl: values.VIRUSTOTAL_BASE_URL };
}

/** VirusTotal's analysis of a domain. */
export interface DomainAnalysis {
  /** Number of engines that rate it malicious, and suspicious. */
  malicious: number;
  suspicious: number;
  /** Milliseconds since the epoch; null if VirusTotal does not know the registration. */
  createdAt: number | null;
}

const engines = z.number().int().nonnegative();
/** Fields of the documented answer to GET /domains/{domain}; times are seconds since the epoch. */
const domainAnswer = z.object({
  data: z.object({
    attributes: z.object({
      last_analysis_stats: z.object({ malicious: engines, suspicious: engines.default(0) }),
      creation_date: z.number().positive().nullish(),
    }),
  }),
});
const notFoundAnswer = z.object({ error: z.object({ code: z.literal('NotFoundError') }) });

/**
 * Queries VirusTotal v3 for a domain. Returns null if VirusTotal has never seen it.
 * @throws CasefileError as `createGuardedFetch`.
 */
export async function askVirusTotal(
  guardedFetch: GuardedFetch,
  apiKey: string,
  domain: string,
  context: RequestContext,
): Promise<DomainAnalysis | null> {
  const path = `/domains/${encodeURIComponent(domain)}`;
  const answer = await guardedFetch(
    { path, headers: { 'x-apikey': apiKey }, acceptedStatuses: [404] },
    context,
  );
  // A 404 from another server on the way (a proxy, a wrong base URL) must not count as "never seen".
  const expected = answer.status === 404 ? notFoundAnswer : domainAnswer;
  const parsed = expected.safeParse(answer.body);
  if (!parsed.success) throw badAnswer(answer.host, 'JSON of another shape than documented', parsed.error);
  if (!('data' in parsed.data)) return null;
  const { last_analysis_stats: stats, creation_date: created } = parsed.data.data.attributes;
  return {
    malicious: stats.malicious,
    suspicious: stats.suspicious,
    createdAt: created ? created * 1000 : null,
  };
}

import { asCasefileError, CasefileError, type Json, type Tool, type ToolContext } from '@casefile/contracts';
import { entityArgs } from '../entity-args.js';
import { createGuardedFetch, type GuardedFetchOptions } from '../fetch/guarded-fetch.js';
import { toolLimits, type EvidenceSettings } from '../settings.js';
import { registrableDomain } from '../registrable-domain.js';
import { RDAP_HOSTS, RdapServer } from '../sources/rdap.js';
import { askVirusTotal, type DomainAnalysis } from '../sources/virus-total.js';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NAME = 'domain_reputation';
/**
 * Types of entity for which the fan-out calls this tool. A link is left out, because its domain is a separate entity and would count
 * twice.
 */
const FAN_OUT = ['domain'] as const;
const ENTITY_TYPES = [...FAN_OUT, 'url'] as const;
const DAY_MS = 86_400_000;
/** Time limit for connecting to an RDAP server: an answer takes 0.1 to 1 s if there is network access. */
const RDAP_CONNECT_MS = 2_000;

/** Answer of one source; `state` is `answered`, `not_known`, or the reason why it is missing. */
interface Part<T> {
  state: string;
  value: T | null;
  failure?: CasefileError;
}

/**
 * Creates the tool that returns the reputation of the registrable domain of a domain or URL. Result `{ domain, riskLevel, virustotalMalicious,
 * ageDays, listed, sources, missing }`. Unknown values are null; `missing` names the failed parts. A domain
 * on a local list is judged by the list, and no outside service is queried.
 */
export function checkDomain(
  settings: Pick<EvidenceSettings, 'virusTotal' | 'rdap' | 'domainLists' | 'allowedHosts' | 'limits'>,
  network: Pick<GuardedFetchOptions, 'lookup'> = {},
): Tool {
  const args = entityArgs(ENTITY_TYPES);
  const lists = readDomainLists(settings);
  const ask = domainSources(settings, network);
  return {
    name: NAME,
    description:
      'Checks a domain against block and allow lists, VirusTotal and the date of its registration.',
    // The lists are local. A queue and a rate limit are only needed to query other servers.
    locality: ask.hosts === '' ? 'local' : 'remote',
    reads: 'outside',
    entityTypes: FAN_OUT,
    args,
    limits: toolLimits(NAME, { timeoutMs: 8_000, attempts: 3, concurrency: 5, perSecond: 4 }, settings),
    async run(input, context) {
      const { entityValue } = args.parse(input);
      const domain = registrableDomain(entityValue);
      if (domain === null)
        throw new CasefileError('not_a_domain', 'There is no registrable domain in this value');
      const listed = lists.listingOf(domain);
      if (listed !== null) return { result: listedResult(domain, listed), source: `local ${listed} list` };
      const [virustotal, rdap] = await Promise.all([
        ask.virustotal(domain, context),
        ask.rdap(domain, context),
      ]);
      return { result: askedResult(domain, virustotal, rdap, context.clock.now()), source: ask.hosts };
    },
  };
}

function domainSources(
  { virusTotal, rdap, allowedHosts }: Pick<EvidenceSettings, 'virusTotal' | 'rdap' | 'allowedHosts'>,
  network: Pick<GuardedFetchOptions, 'lookup'>,
) {
  const { apiKey } = virusTotal;
  const allowed = allowedHosts?.[NAME] ?? RDAP_HOSTS;
  const virusTotalFetch =
    apiKey === undefined ? null : createGuardedFetch({ ...network, baseUrl: virusTotal.baseUrl });
  const rdapServer =
    rdap.baseUrl === undefined ? null : rdapServerAt({ ...rdap, baseUrl: rdap.baseUrl }, allowed, network);
  return {
    hosts: [virusTotalFetch && virusTotal.baseUrl, rdapServer && rdap.baseUrl]
      .flatMap((url) => (url ? [new URL(url).host] : []))
      .join(', '),
    virustotal: (domain: string, context: ToolContext) =>
      part(virusTotalFetch && apiKey ? () => askVirusTotal(virusTotalFetch, apiKey, domain, context) : null),
    rdap: (domain: string, context: ToolContext) =>
      part(rdapServer ? () => rdapServer.registeredAt(domain, context) : null),
  };
}

function rdapServerAt(
  { baseUrl, byDefault }: { baseUrl: string; byDefault?: boolean },
  allowedHosts: readonly string[],
  network: Pick<GuardedFetchOptions, 'lookup'>,
): RdapServer {
  const options = { ...network, baseUrl, allowedHosts, connectTimeoutMs: RDAP_CONNECT_MS };
  return new RdapServer(createGuardedFetch(options), new URL(baseUrl).host, byDefault);
}

async function part<T>(ask: (() => Promise<T | null>) | null): Promise<Part<T>> {
  if (ask === null) return { state: 'not_configured', value: null };
  try {
    const value = await ask();
    return { state: value === null ? 'not_known' : 'answered', value };
  } catch (error) {
    const failure = asCasefileError(error);
    return { state: failure.reasonCode, value: null, failure };
  }
}

function listedResult(domain: string, listed: Listing): Json {
  const riskLevel = listed === 'block' ? 'high' : 'low';
  const sources = { lists: listed, virustotal: 'not_asked', rdap: 'not_asked' };
  return { domain, riskLevel, virustotalMalicious: null, ageDays: null, listed, sources, missing: [] };
}

function askedResult(
  domain: string,
  virustotal: Part<DomainAnalysis>,
  rdap: Part<number>,
  now: number,
): Json {
  if (virustotal.state === 'not_configured' && rdap.state === 'not_configured') {
    const fix = 'set VIRUSTOTAL_API_KEY or RDAP_BASE_URL';
    throw new CasefileError(
      'not_configured',
      `The domain is on no local list, and no registry can be queried: ${fix}`,
    );
  }
  const registeredAt = rdap.value ?? virustotal.value?.createdAt ?? null;
  const ageDays = registeredAt === null ? null : Math.max(0, Math.floor((now - registeredAt) / DAY_MS));
  const malicious = virustotal.value?.malicious ?? null;
  const riskLevel = domainRisk({ malicious, suspicious: virustotal.value?.suspicious ?? null, ageDays });
  refuseBlindAnswer(riskLevel, virustotal, rdap);
  return {
    domain,
    riskLevel,
    virustotalMalicious: malicious,
    ageDays,
    listed: null,
    sources: { lists: 'not_listed', virustotal: virustotal.state, rdap: rdap.state },
    missing: Object.entries({ virustotal, rdap }).flatMap(([name, { state }]) =>
      isThere(state) ? [] : [name],
    ),
  };
}

// A source that failed must not make a domain look safe: if the rest looks safe, the whole answer is a gap, and
// the call is retried. A young age is enough for a risk above low. If the engines answered, the age may be missing.
function refuseBlindAnswer(riskLevel: string, virustotal: Part<DomainAnalysis>, rdap: Part<number>): void {
  if (riskLevel !== 'low') return;
  if (virustotal.failure) throw virustotal.failure;
  if (rdap.failure && !isThere(virustotal.state)) throw rdap.failure;
}

function isThere(state: string): boolean {
  return state === 'answered' || state === 'not_known';
}

type Listing = 'block' | 'allow';

interface DomainLists {
  /**
   * Returns the list that contains a registrable domain or its public suffix; the block list has precedence.
   */
  listingOf(domain: string): Listing | null;
}

// The relative path is the same from src and from dist.
const DATA = new URL('../../data/', import.meta.url);

/** Reads the lists. @throws CasefileError `bad_configuration` if a file cannot be read. */
export function readDomainLists(settings: Pick<EvidenceSettings, 'domainLists'>): DomainLists {
  const own = settings.domainLists ?? {};
  const block = readList(own.blockFile ?? shippedName('domain-blocklist.txt'));
  const allow = readList(own.allowFile ?? shippedName('domain-allowlist.txt'));
  return {
    listingOf: (domain) => {
      // A suffix such as gov.in covers all names below it.
      const end = domain.slice(domain.indexOf('.') + 1);
      if (block.has(domain) || block.has(end)) return 'block';
      return allow.has(domain) || allow.has(end) ? 'allow' : null;
    },
  };
}

function shippedName(name: string): string {
  return fileURLToPath(new URL(name, DATA));
}

function readList(path: string): Set<string> {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return new Set(
      lines.map((line) => line.replace(/#.*/, '').trim().toLowerCase()).filter((line) => line !== ''),
    );
  } catch (error) {
    throw new CasefileError('bad_configuration', `The domain list ${path} cannot be read`, { cause: error });
  }
}

type RiskLevel = 'low' | 'medium' | 'high';

/** Known facts of a domain; null: not known. */
interface DomainFacts {
  malicious: number | null;
  suspicious: number | null;
  ageDays: number | null;
}

/** Number of engines that must agree. One or two of about ninety are often wrong, three hardly ever. */
const SURE_ENGINES = 3;
/**
 * Age in days below which a domain is young. Fraudulent domains are mostly used within weeks of registration.
 */
const YOUNG_DAYS = 30;

/** Risk level of a domain that is on no list. Unknown facts neither raise nor lower it. */
export function domainRisk(facts: DomainFacts): RiskLevel {
  const malicious = facts.malicious ?? 0;
  const young = facts.ageDays !== null && facts.ageDays < YOUNG_DAYS;
  if (malicious >= SURE_ENGINES || (malicious > 0 && young)) return 'high';
  if (malicious > 0 || young || (facts.suspicious ?? 0) >= SURE_ENGINES) return 'medium';
  return 'low';
}

import {
  asCasefileError,
  CasefileError,
  z,
  type ReasonCode,
  type ToolVariable,
  type VariableValues,
} from '@casefile/contracts';
import type { GuardedFetch, RequestContext } from '../fetch/guarded-fetch.js';
import { badAnswer } from '../fetch/read-json.js';

/** Public service that redirects to each registry's own server. Names found in alerts are sent there. */
const PUBLIC_RDAP = 'https://rdap.org';
const rdapUrl: ToolVariable<string> = {
  schema: z.union([z.literal('off'), z.url({ error: 'expected a URL' })]).default(PUBLIC_RDAP),
  isSecret: false,
  isRequired: false,
  about:
    'registration date of domains. Domain names found in alerts are sent to this address and to the registries that it names. `off`: not used',
};

/** Variables of the tool that asks registries of domains. */
export const RDAP_VARIABLES = { RDAP_BASE_URL: rdapUrl };

/** Returns the server that the variables name. */
export function rdapOf({ RDAP_BASE_URL: baseUrl }: VariableValues<typeof RDAP_VARIABLES>): {
  baseUrl?: string;
  /** The URL is not configured: if it was never reached, the machine has no network access. */
  byDefault?: boolean;
} {
  return baseUrl === 'off' ? {} : { baseUrl, byDefault: baseUrl === PUBLIC_RDAP };
}

/** RFC 9083: a domain object with its events. */
const domainAnswer = z.object({
  objectClassName: z.literal('domain'),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() })).default([]),
});

/**
 * The registries' own servers to which a bootstrap server (rdap.org) redirects, for the most common zones.
 * Replaced by the setting `allowedHosts`.
 */
export const RDAP_HOSTS = [
  'rdap.org',
  '*.rdap.org',
  'rdap.verisign.com',
  'rdap.publicinterestregistry.org',
  'rdap.identitydigital.services',
  'rdap.centralnic.com',
  'rdap.nic.google',
  'pubapi.registry.google',
  'rdap.nixiregistry.in',
  'rdap.nominet.uk',
  'rdap.denic.de',
  'rdap.nic.fr',
  'rdap.registry.in',
  'rdap.nic.xyz',
  'rdap.nic.top',
  'rdap.nic.online',
  'rdap.nic.site',
  'rdap.nic.shop',
];

/**
 * Returns when a domain was registered, in milliseconds since the epoch, or null if the registry has no such
 * domain or no date. @throws CasefileError as `createGuardedFetch`.
 */
export async function askRdap(
  guardedFetch: GuardedFetch,
  domain: string,
  context: RequestContext,
): Promise<number | null> {
  const path = `/domain/${encodeURIComponent(domain)}`;
  const answer = await guardedFetch({ path, acceptedStatuses: [404] }, context);
  if (answer.status === 404) return null;
  const parsed = domainAnswer.safeParse(answer.body);
  if (!parsed.success) throw badAnswer(answer.host, 'JSON of another shape than documented', parsed.error);
  const registered = parsed.data.events.find((event) => event.eventAction === 'registration');
  const at = Date.parse(registered?.eventDate ?? '');
  return Number.isNaN(at) ? null : at;
}

/** Time during which an unreachable server is not contacted again. */
const LEFT_ALONE_MS = 60_000;
/**
 * Error codes of connections that were never established; an interrupted connection shows that the server is
 * reachable.
 */
const UNREACHED =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Queries one RDAP server. After the server could not be reached, it is not contacted for a minute. So a
 * machine without a network waits at most once per minute: concurrent calls wait for the first and fail with
 * it. Any answer, even the failure of a registry behind the server, shows that the server is reachable.
 */
export class RdapServer {
  private unreachedUntil: number | null = null;
  private trying: Promise<unknown> | null = null;
  private reached = false;
  private everReached = false;

  constructor(
    private readonly guardedFetch: GuardedFetch,
    private readonly host: string,
    private readonly byDefault = false,
  ) {}

  /**
   * As `askRdap`. @throws CasefileError also `circuit_open` if it could not be reached less than a minute
   * ago; `not_configured` if the URL is the default and was never reached.
   */
  async registeredAt(domain: string, context: RequestContext): Promise<number | null> {
    while (!this.reached && this.trying !== null) await this.trying;
    if (this.unreachedUntil !== null && context.clock.now() < this.unreachedUntil)
      throw this.unreachable('circuit_open', `${this.host} could not be reached and is asked once a minute`);
    const reply = this.ask(domain, context);
    if (this.reached) return reply;
    this.trying = reply.catch(() => null).finally(() => (this.trying = null));
    return reply;
  }

  private async ask(domain: string, context: RequestContext): Promise<number | null> {
    try {
      const at = await askRdap(this.guardedFetch, domain, context);
      this.known(null);
      return at;
    } catch (error) {
      const failure = asCasefileError(error);
      // A cancelled call says nothing about the server.
      if (context.signal.aborted && failure.reasonCode === 'aborted') throw failure;
      const { host, code } = failure.details;
      const unreached = host === this.host && UNREACHED.test(String(code));
      this.known(unreached ? context.clock.now() + LEFT_ALONE_MS : null);
      if (!unreached) throw failure;
      throw this.unreachable(failure.reasonCode, failure.message, failure);
    }
  }

  private unreachable(reasonCode: ReasonCode, why: string, cause?: CasefileError): CasefileError {
    const facts = { cause, details: cause?.details };
    if (!this.byDefault || this.everReached)
      return new CasefileError(reasonCode, `${why}; RDAP_BASE_URL=off contacts no registry`, facts);
    const message = `There is no way to ${this.host} from here: set VIRUSTOTAL_API_KEY, or RDAP_BASE_URL=off to stop trying`;
    return new CasefileError('not_configured', message, facts);
  }

  private known(unreachedUntil: number | null): void {
    this.unreachedUntil = unreachedUntil;
    this.reached = unreachedUntil === null;
    this.everReached ||= this.reached;
  }
}

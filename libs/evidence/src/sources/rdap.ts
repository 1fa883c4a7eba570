import { asCasefileError, CasefileError, z, type ReasonCode } from '@casefile/contracts';
import type { GuardedFetch, RequestContext } from '../fetch/guarded-fetch.js';
import { badAnswer } from '../fetch/read-json.js';

/** RFC 9083: a domain object with its events. */
const domainAnswer = z.object({
  objectClassName: z.literal('domain'),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() })).default([]),
});

/**
 * Registries' own servers a bootstrap server (rdap.org) sends us to, for the zones most alerts name.
 * In place of this list: the setting `allowedHosts`.
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
 * When a domain was registered, milliseconds since the epoch; null: the registry has no such domain or does not say.
 * @throws CasefileError as `createGuardedFetch` does.
 */
export async function askRdap(
  guardedFetch: GuardedFetch,
  domain: string,
  context: RequestContext,
): Promise<number | null> {
  const path = `/domain/${encodeURIComponent(domain)}`;
  const answer = await guardedFetch({ path, answers: [404] }, context);
  if (answer.status === 404) return null;
  const parsed = domainAnswer.safeParse(answer.body);
  if (!parsed.success) throw badAnswer(answer.host, 'JSON of another shape than documented', parsed.error);
  const registered = parsed.data.events.find((event) => event.eventAction === 'registration');
  const at = Date.parse(registered?.eventDate ?? '');
  return Number.isNaN(at) ? null : at;
}

/** How long a server that cannot be reached is left alone. */
const LEFT_ALONE_MS = 60_000;
/** Codes of connections that were never made; one that was cut says that the server is reached. */
const UNREACHED =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Asks one RDAP server, and leaves it alone for a minute once it cannot be reached, so that a machine without a
 * network waits once a minute at most: others wait for the first to know, and fail with it. An answer of any
 * kind, or a registry behind the server that is out, says that it is reached.
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
   * As `askRdap`. @throws CasefileError also `circuit_open`: it could not be reached less than a minute ago;
   * `not_configured`: nobody chose the address, and from here it was never reached.
   */
  async registeredAt(domain: string, context: RequestContext): Promise<number | null> {
    while (!this.reached && this.trying !== null) await this.trying;
    if (this.unreachedUntil !== null && context.clock.now() < this.unreachedUntil)
      throw this.unreachable('circuit_open', `${this.host} could not be reached and is asked once a minute`);
    const asked = this.ask(domain, context);
    if (this.reached) return asked;
    this.trying = asked.catch(() => null).finally(() => (this.trying = null));
    return asked;
  }

  private async ask(domain: string, context: RequestContext): Promise<number | null> {
    try {
      const at = await askRdap(this.guardedFetch, domain, context);
      this.known(null);
      return at;
    } catch (error) {
      const failure = asCasefileError(error);
      // What was called off says nothing about the server.
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
      return new CasefileError(reasonCode, `${why}; RDAP_BASE_URL=off asks nobody`, facts);
    const message = `There is no way to ${this.host} from here: set VIRUSTOTAL_API_KEY, or RDAP_BASE_URL=off to stop trying`;
    return new CasefileError('not_configured', message, facts);
  }

  private known(unreachedUntil: number | null): void {
    this.unreachedUntil = unreachedUntil;
    this.reached = unreachedUntil === null;
    this.everReached ||= this.reached;
  }
}

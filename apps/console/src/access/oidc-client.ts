import { CasefileError, firstCharacters, type Clock, type Logger } from '@casefile/contracts';
import type { ConfiguredOidc } from '@casefile/runtime';
import * as client from 'openid-client';
import { boundedFetch } from './bounded-fetch.js';
import { claimAt, groupNames } from './claims.js';
import type { SignInFlow } from './sign-in-flow.js';

/** Time limit of one request to the provider, in seconds. */
const TIMEOUT_SECONDS = 5;
/** Difference to the provider's clock that is accepted in the time of issue, in milliseconds. */
const MOST_AHEAD_MS = 60_000;
const DISCOVERY_ATTEMPTS = 2;
/** Time after which the provider's metadata are read again, in milliseconds. */
const METADATA_MAX_AGE_MS = 3_600_000;
/** Time after a failed discovery in which the provider is not asked again, in milliseconds. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
const LONGEST_NAME = 200;

/** A person whom the provider has identified. */
export interface IdentifiedPerson {
  subject: string;
  name: string;
  /** Groups by the configured claim; null: the provider sent no such claim. */
  groups: string[] | null;
}

interface OidcClientParts {
  clock: Pick<Clock, 'now'>;
  log: Logger;
  /** Default: the platform's `fetch`. */
  fetch?: client.CustomFetch;
}

/** Signs people in at one provider by the authorization code flow with PKCE, state and nonce. */
export class OidcClient {
  private latestDiscovery: { configuration: client.Configuration; at: number } | null = null;
  private asking: Promise<client.Configuration> | null = null;
  private failedAt = -Infinity;

  constructor(
    private readonly settings: ConfiguredOidc,
    private readonly parts: OidcClientParts,
  ) {}

  /** Returns a new sign-in, and the provider's URL to which the browser goes. */
  async begin(to: string): Promise<{ flow: SignInFlow; url: URL }> {
    const configuration = await this.configuration();
    const flow: SignInFlow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      to,
      at: this.parts.clock.now(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl('').href,
      scope: this.settings.scopes.join(' '),
      response_type: 'code',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { flow, url };
  }

  /**
   * Exchanges the code of a callback, and returns the person. The provider's tokens are not kept.
   * @param search Query of the callback, with its `?`.
   * @throws CasefileError `unauthenticated` or `unreachable`.
   */
  async finish(search: string, flow: SignInFlow): Promise<IdentifiedPerson> {
    const configuration = await this.configuration();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, this.callbackUrl(search), {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      });
      const claims: Record<string, unknown> = { ...tokens.claims() };
      this.requireCurrent(claims['iat']);
      const isWhole = [this.settings.groupsClaim, this.settings.nameClaim].every(
        (claim) => claimAt(claims, claim) !== undefined,
      );
      // Many providers put groups and addresses in the answer of the user endpoint alone.
      const further =
        isWhole || configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await client.fetchUserInfo(configuration, tokens.access_token, String(claims['sub']));
      return this.personIn({ ...further, ...claims });
    } catch (error) {
      throw this.refusal(error);
    }
  }

  /** Returns the provider's URL that ends its session too; null: it has none, or does not answer. */
  async endSessionUrl(): Promise<string | null> {
    const configuration = await this.configuration().catch(() => null);
    if (configuration?.serverMetadata().end_session_endpoint === undefined) return null;
    return client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: `${this.settings.publicUrl}/`,
    }).href;
  }

  // Never from the Host of a request, which a client chooses.
  private callbackUrl(search: string): URL {
    return new URL(`/auth/callback${search}`, this.settings.publicUrl);
  }

  /** @throws CasefileError `unauthenticated` if the token was issued in the future. The client checks only `exp`. */
  private requireCurrent(issuedAt: unknown): void {
    if (typeof issuedAt === 'number' && issuedAt * 1_000 - this.parts.clock.now() <= MOST_AHEAD_MS) return;
    throw new CasefileError(
      'unauthenticated',
      'The sign-in was refused: the provider issued its token in the future.',
    );
  }

  private personIn(claims: Record<string, unknown>): IdentifiedPerson {
    const subject = String(claims['sub']);
    const claim = claimAt(claims, this.settings.nameClaim);
    // Anyone can state the address of another person. Some providers send no claim, or a text.
    const isUnproved = this.settings.nameClaim === 'email' && claims['email_verified'] !== true;
    const name = typeof claim === 'string' && !isUnproved ? claim.trim() : '';
    return {
      subject,
      name: firstCharacters(name === '' ? subject : name, LONGEST_NAME),
      groups: groupNames(claimAt(claims, this.settings.groupsClaim)),
    };
  }

  private async configuration(): Promise<client.Configuration> {
    const now = this.parts.clock.now();
    if (this.latestDiscovery !== null && now - this.latestDiscovery.at < METADATA_MAX_AGE_MS)
      return this.latestDiscovery.configuration;
    if (now - this.failedAt < PAUSE_AFTER_FAILURE_MS) throw this.unreachable();
    this.asking ??= this.discover().finally(() => (this.asking = null));
    return this.asking;
  }

  private async discover(): Promise<client.Configuration> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const configuration = await this.discoverOnce();
        this.latestDiscovery = { configuration, at: this.parts.clock.now() };
        return configuration;
      } catch (error) {
        this.parts.log.warn({ error: reasonOf(error), attempt }, 'the sign-in provider does not answer');
        if (attempt < DISCOVERY_ATTEMPTS) continue;
        this.failedAt = this.parts.clock.now();
        // Metadata that were read earlier still work if the provider answers again.
        if (this.latestDiscovery !== null) return this.latestDiscovery.configuration;
        throw this.unreachable();
      }
    }
  }

  private discoverOnce(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const { fetch } = this.parts;
    return client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === null ? client.None() : secretAuth(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        // The signature is verified although the token comes from the provider directly. With it, `none` is
        // refused as an algorithm.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.startsWith('http://') ? [client.allowInsecureRequests] : []),
        ],
        [client.customFetch]: boundedFetch(fetch),
      },
    );
  }

  private refusal(error: unknown): CasefileError {
    if (error instanceof CasefileError) {
      this.parts.log.warn({ error: error.message }, 'a sign-in was refused');
      return error;
    }
    const reason = reasonOf(error);
    this.parts.log.warn({ error: reason, detail: detailOf(error) }, 'a sign-in was refused');
    if (isNetworkError(error)) return this.unreachable();
    return new CasefileError('unauthenticated', `The sign-in was refused: ${reason}.`);
  }

  private unreachable(): CasefileError {
    return new CasefileError(
      'unreachable',
      `The sign-in provider ${this.settings.issuer} does not answer. Try again in a minute.`,
    );
  }
}

/** Returns the reason of an error of the client, without values that the provider sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, error: oauthError } = error as { code?: unknown; error?: unknown };
  const reason = [oauthError, code].find((value) => typeof value === 'string' && /^\w{1,80}$/.test(value));
  return typeof reason === 'string' ? reason : error.name;
}

const DETAIL_LENGTH = 200;

/**
 * Returns the check of the client that failed, such as `unexpected JWT "iss" (issuer) claim value`; null: none. Several
 * checks share one code. These messages are texts of the library and quote no value of the provider.
 */
function detailOf(error: unknown): string | null {
  const { cause } = (error ?? {}) as { cause?: unknown };
  const isCheck =
    cause instanceof Error && ['OperationProcessingError', 'UnsupportedOperationError'].includes(cause.name);
  return isCheck ? firstCharacters(cause.message, DETAIL_LENGTH) : null;
}

// `fetch` throws a TypeError with this text if there was no answer.
function isNetworkError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && message === 'fetch failed');
}

/** Sends the secret in the way that the provider supports; `Basic` is the default of the standard. */
function secretAuth(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const takesPostAlone = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (takesPostAlone ? post : basic)(server, ...request);
  };
}

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import type { Configuration } from 'oidc-provider';
import { IssuerMemory } from './issuer-memory.js';

/** Changes the header or claims of an ID token. The result is signed with the provider's own key. */
export interface Tampering {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** Drops the signature. */
  unsigned?: boolean;
}

/** A real OpenID provider on a free port of loopback, whose people and answers a test sets. */
export interface TestIssuer {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Further claims of people, by their login. */
  people: Map<string, Record<string, unknown>>;
  /** Changes the ID tokens that are issued from now on; null: they stay as they are. */
  tamper(tampering: Tampering | null): void;
  /** Answers every request with 503 while set. */
  isDown: boolean;
  /** Makes every code that was issued invalid by its age. */
  expireCodes(): void;
  close(): Promise<void>;
}

const CLIENT = { id: 'casefile', secret: 'secret-of-the-test-client' };

/**
 * Starts a provider.
 * @param consoleUrl Origin of the console.
 */
export async function startTestIssuer(consoleUrl: string): Promise<TestIssuer> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  let tampering: Tampering | null = null;
  const memory = new IssuerMemory();
  const issuer: TestIssuer = {
    url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    people: new Map(),
    tamper: (next) => void (tampering = next),
    isDown: false,
    expireCodes: () => memory.expireCodes(),
    close: () => closed(server),
  };
  const provider = await quietly(async () => {
    const { Provider } = await import('oidc-provider');
    return new Provider(url, configuration(issuer, memory, privateKey, consoleUrl));
  });
  provider.use(async (context, next) => {
    await next();
    const body = context.body as { id_token?: unknown } | undefined;
    if (context.path === '/token' && tampering !== null && typeof body?.id_token === 'string')
      body.id_token = await tampered(body.id_token, tampering, privateKey);
  });
  const answer = provider.callback() as (request: IncomingMessage, response: ServerResponse) => void;
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    issuer.isDown ? void response.writeHead(503).end() : answer(request, response),
  );
  return issuer;
}

function configuration(
  issuer: TestIssuer,
  memory: IssuerMemory,
  key: KeyObject,
  consoleUrl: string,
): Configuration {
  return {
    adapter: (model) => memory.adapter(model),
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${consoleUrl}/auth/callback`],
        post_logout_redirect_uris: [`${consoleUrl}/`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['key of the cookies of a test'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'groups', 'realm_access'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 3_600,
      IdToken: 600,
      Interaction: 600,
      Session: 3_600,
    },
    renderError: (context, { error }) => void (context.body = `the provider refuses: ${error}`),
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: (context, form) => void (context.body = form) },
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...issuer.people.get(id) }),
    }),
  };
}

async function tampered(token: string, { header, claims, unsigned }: Tampering, key: KeyObject) {
  const payload = { ...decodeJwt(token), ...claims };
  const protectedHeader = { ...decodeProtectedHeader(token), ...header };
  if (unsigned === true) return `${part(protectedHeader)}.${part(payload)}.`;
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', ...protectedHeader }).sign(key);
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The provider prints warnings about settings that suit development alone. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console;
  console.warn = console.info = () => undefined;
  try {
    return await work();
  } finally {
    Object.assign(console, { warn, info });
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

import {
  CasefileError,
  InvalidInput,
  asCasefileError,
  z,
  type Clock,
  type Logger,
  type Sessions,
  type SignedInPerson,
  type SignInState,
} from '@casefile/contracts';
import {
  answerProblem,
  statedError,
  type AttemptLimit,
  type CheckedCallers,
  type ConfiguredOidc,
  type StateOutage,
} from '@casefile/runtime';
import { Router, type NextFunction, type Request, type Response } from 'express';
import { roleOfGroups } from './claims.js';
import { cookieHeader, FLOW_COOKIE, readCookie, SESSION_COOKIE, sessionToken } from './cookies.js';
import { localPath } from './local-path.js';
import type { IdentifiedPerson, OidcClient } from './oidc-client.js';
import { asPerson, openSession } from './open-session.js';
import { isBrowser, requireOwnPage } from './own-page.js';
import { flowFrom, flowValue } from './sign-in-flow.js';
import { sendSignInPage, type SignInPage } from './sign-in-page.js';
import { tokenHash } from './session-tokens.js';

/** Groups of a person that the page about missing groups lists. */
const MOST_SHOWN_GROUPS = 20;
const keyBody = z.strictObject({ key: z.string().min(1).max(500) });

export interface SignInParts {
  /** null: no provider is configured. */
  oidc: { client: OidcClient; settings: ConfiguredOidc } | null;
  sessions: Pick<Sessions, 'open' | 'end' | 'finish'>;
  checked: Pick<CheckedCallers, 'forget'>;
  /** States an outage of the database in errors. */
  outage: StateOutage;
  /** Returns the person of the request's session; null: there is none. */
  currentPerson(request: Request): Promise<SignedInPerson | null>;
  /**
   * Returns the person of a personal key; null: the key is wrong.
   * @throws CasefileError `forbidden` if it is the key of a program.
   */
  personOfKey(key: string): Promise<SignedInPerson | null>;
  /** Returns whether the API requires a proof. */
  isRequired(): Promise<boolean>;
  attempts: AttemptLimit;
  clock: Pick<Clock, 'now'>;
  log: Logger;
}

/** Routes below `/auth`, by which people sign in and out. */
export function signInRouter(parts: SignInParts): Router {
  const router = Router();
  const page = (work: (request: Request, response: Response) => Promise<void>) => {
    return (request: Request, response: Response): Promise<void> =>
      work(request, response).catch((error: unknown) => sendSignInPage(response, pageOf(error, parts)));
  };
  router.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.get(
    '/sign-in',
    page((request, response) => begin(parts, request, response)),
  );
  router.get(
    '/callback',
    page((request, response) => finish(parts, request, response)),
  );
  router.get('/session', async (request, response) => void response.json(await stateOf(parts, request)));
  router.post('/key', async (request, response) => {
    requireOwnPageOfBrowser(request, parts);
    const person = await personOfKey(parts, request);
    await openSession(parts, person, request, response);
    response.status(201).json({ name: person.name, role: person.role });
  });
  router.post('/sign-out', async (request, response) => {
    requireOwnPage(request, parts.oidc?.settings.publicUrl ?? null);
    const token = sessionToken(request);
    const person = await endSession(parts, token, request);
    response.append('Set-Cookie', cookieHeader(request, SESSION_COOKIE, ''));
    const isOfProvider = person?.source === 'oidc' && parts.oidc !== null;
    const endSessionUrl = isOfProvider ? await parts.oidc!.client.endSessionUrl() : null;
    response.json({ signedOut: token !== null, endSessionUrl });
  });
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerProblem(response, statedError(error, parts.outage), parts.log),
  );
  return router;
}

/** Ends the session of the token. Returns its person; null: there was none. */
async function endSession(
  { sessions, checked, currentPerson }: SignInParts,
  token: string | null,
  request: Request,
): Promise<SignedInPerson | null> {
  const forget = (): void => (token === null ? undefined : checked.forget(tokenHash(token)));
  // Also if the database cannot end the session now.
  forget();
  try {
    const person = await currentPerson(request);
    const end = async () => token !== null && sessions.end(tokenHash(token));
    await (person === null ? end() : asPerson(person, end));
    return person;
  } finally {
    forget();
  }
}

async function begin(parts: SignInParts, request: Request, response: Response): Promise<void> {
  if (parts.oidc === null)
    throw new CasefileError('not_configured', 'No sign-in provider is configured (access.oidc).');
  checkAttempts(parts, request);
  parts.attempts.note(request.socket.remoteAddress);
  const { flow, url } = await parts.oidc.client.begin(localPath(request.query['to']));
  response.append('Set-Cookie', cookieHeader(request, FLOW_COOKIE, flowValue(flow)));
  response.redirect(303, url.href);
}

async function finish(parts: SignInParts, request: Request, response: Response): Promise<void> {
  const { oidc } = parts;
  if (oidc === null)
    throw new CasefileError('not_configured', 'No sign-in provider is configured (access.oidc).');
  checkAttempts(parts, request);
  const flow = flowFrom(readCookie(request, FLOW_COOKIE), parts.clock.now());
  // A flow is used once, whatever its result.
  response.append('Set-Cookie', cookieHeader(request, FLOW_COOKIE, ''));
  try {
    // Noted before the exchange: whatever its result, the callback cannot be used again, in no process.
    if (flow === null || !(await parts.sessions.finish(tokenHash(flow.state))))
      throw new CasefileError(
        'unauthenticated',
        'This sign-in has expired, has been used, or began in another browser.',
      );
    const at = request.originalUrl.indexOf('?');
    const search = at === -1 ? '' : request.originalUrl.slice(at);
    const person = admitted(await oidc.client.finish(search, flow), oidc.settings);
    await openSession(parts, person, request, response);
    response.redirect(303, flow.to);
  } catch (error) {
    parts.attempts.note(request.socket.remoteAddress);
    throw error;
  }
}

/** The person is known, and none of the groups has a role. */
class NoRole extends CasefileError {
  constructor(readonly lines: readonly string[]) {
    super('forbidden', lines.join(' '));
  }
}

function admitted(
  { subject, name, groups }: IdentifiedPerson,
  { roles, groupsClaim }: ConfiguredOidc,
): SignedInPerson {
  const access = roleOfGroups(groups ?? [], roles);
  if (access !== null) return { source: 'oidc', subject, name, ...access };
  const groupNames = (groups ?? []).slice(0, MOST_SHOWN_GROUPS).join(', ');
  const further = (groups ?? []).length > MOST_SHOWN_GROUPS ? ', and more' : '';
  throw new NoRole([
    `You are signed in at the provider as ${name}, and you have no access to Casefile.`,
    groups === null
      ? `The provider sent no claim "${groupsClaim}" (setting access.oidc.groupsClaim).`
      : `None of the groups in the claim "${groupsClaim}" has a role. Your groups: ${groupNames || 'none'}${further}.`,
    'An administrator of Casefile gives a group a role by the setting access.oidc.roles.',
  ]);
}

async function personOfKey(parts: SignInParts, request: Request): Promise<SignedInPerson> {
  const body = keyBody.safeParse(request.body);
  if (!body.success)
    throw new InvalidInput([{ path: 'key', message: 'expected the text of a personal key' }], 'request');
  return parts.attempts.run(request.socket.remoteAddress, async () => {
    const person = await parts.personOfKey(body.data.key.trim());
    if (person !== null) return person;
    throw new CasefileError('unauthenticated', 'This key is not valid.');
  });
}

// A program may send no headers of a browser. A page of another site must not sign its user in.
function requireOwnPageOfBrowser(request: Request, { oidc }: SignInParts): void {
  if (isBrowser(request)) requireOwnPage(request, oidc?.settings.publicUrl ?? null);
}

function checkAttempts({ attempts }: SignInParts, request: Request): void {
  const retryAfterMs = attempts.waitMs(request.socket.remoteAddress);
  if (retryAfterMs > 0)
    throw new CasefileError('too_many', 'Too many attempts to sign in. Try again in a minute.', {
      retryAfterMs,
    });
}

async function stateOf(parts: SignInParts, request: Request): Promise<SignInState> {
  const person = await parts.currentPerson(request);
  return {
    required: await parts.isRequired(),
    person: person === null ? null : { name: person.name, role: person.role, source: person.source },
    ways: parts.oidc === null ? ['key'] : ['oidc', 'key'],
  };
}

const AGAIN = '/auth/sign-in';

function pageOf(failure: unknown, { log, outage }: SignInParts): SignInPage {
  const thrown = statedError(failure, outage);
  if (thrown instanceof NoRole) return { status: 403, title: 'No access', lines: thrown.lines, again: AGAIN };
  const { reasonCode, message } = asCasefileError(thrown);
  const lines = [message];
  switch (reasonCode) {
    case 'not_configured':
      return { status: 404, title: 'Not configured', lines, again: null };
    case 'too_many':
      return { status: 429, title: 'Too many attempts', lines, again: AGAIN };
    case 'unreachable':
      return { status: 503, title: 'The provider does not answer', lines, again: AGAIN };
    case 'store_unreachable':
      return { status: 503, title: 'The database does not answer', lines, again: AGAIN };
    case 'unauthenticated':
      return { status: 401, title: 'Not signed in', lines, again: AGAIN };
    case 'cookies_too_large':
      return { status: 400, title: 'Cookies too large', lines, again: AGAIN };
    default:
      log.error({ error: thrown }, 'a sign-in failed');
      return {
        status: 503,
        title: 'The sign-in failed',
        lines: ['Casefile could not store the sign-in. Try again in a minute.'],
        again: AGAIN,
      };
  }
}

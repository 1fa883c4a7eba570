import { silentLogger, type Logger } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { consoleWithIssuer, type ConsoleWithIssuer } from '../testing/console-with-issuer.js';
import { ScriptedBrowser } from '../testing/scripted-browser.js';

interface State {
  person: { name: string; role: string; source: string } | null;
}

/** Reasons of refused sign-ins, as the console logs them. */
const refusals: { error: unknown; detail: unknown }[] = [];
const log: Logger = {
  ...silentLogger,
  warn: (fields: object, message?: string) => {
    const { error, detail } = fields as { error?: unknown; detail?: unknown };
    if (message === 'a sign-in was refused') refusals.push({ error, detail });
  },
  child: () => log,
};

describe('sign-in by a real OpenID provider', () => {
  let world: ConsoleWithIssuer;
  const at = (path: string) => `${world.url}${path}`;
  const start = (to = '/cases') => at(`/auth/sign-in?to=${encodeURIComponent(to)}`);
  const personOf = async (browser: ScriptedBrowser) =>
    (JSON.parse((await browser.request(at('/auth/session'))).text) as State).person;
  const signedIn = async (login = 'ann') => {
    const browser = new ScriptedBrowser();
    const answer = await browser.signIn(start(), login);
    return { browser, answer };
  };
  const sessions = () => world.platform.store.sessions.list();

  beforeAll(async () => {
    world = await consoleWithIssuer({ log });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const { issuer, platform } = world;
    issuer.people.clear();
    issuer.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['soc', 'staff'] });
    issuer.tamper(null);
    issuer.isDown = false;
    for (const { id } of await platform.store.sessions.list())
      await platform.store.sessions.revoke(id, 'test', '');
  });

  it('signs a person in with the role of the group, and returns to the page', async () => {
    const { browser, answer } = await signedIn();
    expect([answer.status, answer.location]).toEqual([303, at('/cases')]);
    expect(await personOf(browser)).toEqual({ name: 'ann@example.com', role: 'operator', source: 'oidc' });
    expect(answer.headers.getSetCookie().at(-1)).toMatch(
      /^cf=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    );
    expect(await sessions()).toMatchObject([
      { source: 'oidc', subject: 'ann', name: 'ann@example.com', role: 'operator', groups: ['soc'] },
    ]);
  });

  it('applies changed groups at the next sign-in', async () => {
    const { browser } = await signedIn();
    world.issuer.people.set('ann', { email: 'ann@example.com', groups: ['watchers', 'leads'] });
    await browser.signIn(start(), 'ann');
    expect(await personOf(browser)).toMatchObject({ role: 'admin' });
    world.issuer.people.set('ann', { email: 'ann@example.com', groups: ['staff'] });
    const refused = await browser.signIn(start(), 'ann');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('the claim &quot;groups&quot; has a role. Your groups: staff.');
  });

  it('gives a person without a known group no access, and names the claim', async () => {
    world.issuer.people.set('ann', { email: 'ann@example.com', groups: ['<b>staff</b>'] });
    const { browser, answer } = await signedIn();
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Your groups: &lt;b&gt;staff&lt;/b&gt;.');
    expect(await personOf(browser)).toBeNull();
    world.issuer.people.set('ann', { email: 'ann@example.com' });
    const missing = await signedIn();
    expect(missing.answer.text).toContain('The provider sent no claim &quot;groups&quot;');
    expect(await sessions()).toEqual([]);
  });

  it.each([false, 'false', 'true', undefined, 1])(
    'S2-21 does not take an address as the name that the provider states as verified by %p',
    async (verified) => {
      const { browser } = await signedIn();
      expect(await personOf(browser)).toMatchObject({ name: 'ann@example.com' });
      const claims = { email: 'ann@example.com', groups: ['soc'] };
      world.issuer.people.set(
        'eve',
        verified === undefined ? claims : { ...claims, email_verified: verified },
      );
      expect(await personOf((await signedIn('eve')).browser)).toMatchObject({ name: 'eve' });
    },
  );

  it('refuses the API without a session, and by the role with one', async () => {
    const stranger = new ScriptedBrowser();
    expect((await stranger.request(at('/api/v1/cases'))).status).toBe(401);
    expect((await stranger.request(at('/api/v1/events'))).status).toBe(401);
    expect((await stranger.request(at('/queues/'))).status).toBe(401);
    expect((await stranger.request(at('/cases'))).status).toBe(200);
    const { browser } = await signedIn();
    expect((await browser.request(at('/api/v1/cases'))).status).toBe(200);
    expect((await browser.request(at('/api/v1/sessions'))).status).toBe(403);
  });

  it('signs out, and names the page of the provider that ends its session', async () => {
    const { browser } = await signedIn();
    const kept = browser.cookies.get(world.url)?.get('cf') ?? '';
    const out = await browser.request(at('/auth/sign-out'), {
      method: 'POST',
      headers: { origin: world.url },
    });
    const { signedOut, endSessionUrl } = JSON.parse(out.text) as Record<string, string>;
    expect(signedOut).toBe(true);
    expect(endSessionUrl).toContain(`${world.issuer.url}/session/end?`);
    expect(browser.cookies.get(world.url)?.has('cf')).toBe(false);
    const replayed = await browser.request(at('/auth/session'), { headers: { cookie: `cf=${kept}` } });
    expect((JSON.parse(replayed.text) as State).person).toBeNull();
  });

  it('ends a revoked session at its next request', async () => {
    const { browser } = await signedIn();
    const [session] = await sessions();
    await world.platform.store.sessions.revoke(session?.id ?? '', 'ben', 'left the team');
    expect(await personOf(browser)).toBeNull();
  });

  it('gives every sign-in a new token, and ends the session before it', async () => {
    const browser = new ScriptedBrowser();
    const planted = 'A'.repeat(43);
    browser.cookies.set(world.url, new Map([['cf', planted]]));
    await browser.signIn(start(), 'ann');
    const first = browser.cookies.get(world.url)?.get('cf') ?? '';
    await browser.signIn(start(), 'ann');
    const second = browser.cookies.get(world.url)?.get('cf') ?? '';
    expect(new Set([planted, first, second]).size).toBe(3);
    expect(await sessions()).toHaveLength(1);
    for (const token of [planted, first]) {
      const answer = await fetch(at('/auth/session'), { headers: { cookie: `cf=${token}` } });
      expect(((await answer.json()) as State).person).toBeNull();
    }
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/auth/sign-in',
    '',
  ])('returns to the first page instead of %j', async (to) => {
    const { location } = await new ScriptedBrowser().signIn(start(to), 'ann');
    expect(location).toBe(at('/'));
  });

  describe('refuses', () => {
    const refused = async (browser: ScriptedBrowser, callback: string, status = 401) => {
      const answer = await browser.request(callback);
      expect([answer.status, answer.location]).toEqual([status, null]);
      expect(await personOf(browser)).toBeNull();
      return answer.text;
    };
    const atCallback = async () => {
      const browser = new ScriptedBrowser();
      const { callback } = await browser.upToCallback(start(), 'ann');
      return { browser, callback };
    };
    const withFlow = (browser: ScriptedBrowser, change: Record<string, unknown>) => {
      const jar = browser.cookies.get(world.url);
      const flow = JSON.parse(Buffer.from(jar?.get('cf-flow') ?? '', 'base64url').toString()) as Record<
        string,
        unknown
      >;
      const value = Buffer.from(JSON.stringify({ ...flow, ...change })).toString('base64url');
      jar?.set('cf-flow', value);
    };

    it('an expired code', async () => {
      const { browser, callback } = await atCallback();
      world.issuer.expireCodes();
      expect(await refused(browser, callback)).toContain('invalid_grant');
    });

    it('a replayed code, also with the cookie of its sign-in', async () => {
      const { browser, callback } = await atCallback();
      const flow = browser.cookies.get(world.url)?.get('cf-flow') ?? '';
      expect((await browser.request(callback)).status).toBe(303);
      browser.cookies.set(world.url, new Map());
      await refused(browser, callback);
      // Also if the provider accepted the code twice.
      browser.cookies.set(world.url, new Map([['cf-flow', flow]]));
      expect(await refused(browser, callback)).toContain('has been used');
    });

    it('S2-21 a callback whose first use was refused', async () => {
      const { browser, callback } = await atCallback();
      const flow = browser.cookies.get(world.url)?.get('cf-flow') ?? '';
      world.issuer.tamper({ claims: { nonce: 'A'.repeat(43) } });
      await refused(browser, callback);
      world.issuer.tamper(null);
      browser.cookies.set(world.url, new Map([['cf-flow', flow]]));
      expect(await refused(browser, callback)).toContain('has been used');
    });

    it('S2-21 an ID token that was issued more than 60 s in the future', async () => {
      const { browser, callback } = await atCallback();
      world.issuer.tamper({ claims: { iat: Math.floor(Date.now() / 1_000) + 300 } });
      expect(await refused(browser, callback)).toContain('in the future');
    });

    it('a code in another browser', async () => {
      const { callback } = await atCallback();
      expect(await refused(new ScriptedBrowser(), callback)).toContain('began in another browser');
    });

    it('a wrong state', async () => {
      const { browser, callback } = await atCallback();
      const url = new URL(callback);
      url.searchParams.set('state', 'A'.repeat(43));
      await refused(browser, url.href);
    });

    it('an answer of another issuer', async () => {
      const { browser, callback } = await atCallback();
      const url = new URL(callback);
      url.searchParams.set('iss', 'https://evil.example');
      await refused(browser, url.href);
    });

    it('a wrong nonce', async () => {
      const { browser, callback } = await atCallback();
      withFlow(browser, { nonce: 'A'.repeat(43) });
      refusals.length = 0;
      await refused(browser, callback);
      expect(refusals).toMatchObject([{ detail: 'unexpected ID Token "nonce" claim value' }]);
    });

    it('a wrong PKCE verifier', async () => {
      const { browser, callback } = await atCallback();
      withFlow(browser, { verifier: 'A'.repeat(43) });
      expect(await refused(browser, callback)).toContain('invalid_grant');
    });

    it('a sign-in that began more than ten minutes ago', async () => {
      const { browser, callback } = await atCallback();
      withFlow(browser, { at: Date.now() - 600_001 });
      expect(await refused(browser, callback)).toContain('has expired');
    });

    const COMPARED = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED';
    const EXPIRED = 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
    const INVALID = 'OAUTH_INVALID_RESPONSE';
    it.each([
      ['of another issuer', { claims: { iss: 'https://evil.example' } }, COMPARED, '"iss" (issuer)'],
      ['for another audience', { claims: { aud: 'another' } }, COMPARED, '"aud" (audience)'],
      ['with another nonce', { claims: { nonce: 'A'.repeat(43) } }, COMPARED, '"nonce" claim'],
      ['that has expired', { claims: { exp: 1_700_000_000 } }, EXPIRED, '"exp" (expiration time)'],
      ['with the algorithm none', { header: { alg: 'none' }, unsigned: true }, INVALID, '"alg" header'],
      ['without a signature', { unsigned: true }, INVALID, 'signature verification failed'],
      [
        'that is signed with an unknown key',
        { header: { kid: 'another' } },
        'OAUTH_KEY_SELECTION_FAILED',
        'no applicable keys found',
      ],
    ])('an ID token %s, and logs the check that failed', async (_what, tampering, code, detail) => {
      const { browser, callback } = await atCallback();
      world.issuer.tamper(tampering);
      refusals.length = 0;
      expect(await refused(browser, callback)).toContain(code);
      expect(refusals).toEqual([{ error: code, detail: expect.stringContaining(detail) }]);
      expect(JSON.stringify(refusals)).not.toContain('evil');
    });

    it('a refusal of the provider, and names its code', async () => {
      const { browser, callback } = await atCallback();
      const url = new URL(callback);
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
      url.searchParams.set('error_description', '<script>');
      const text = await refused(browser, url.href);
      expect(text).toContain('access_denied');
      expect(text).not.toContain('<script>');
    });
  });

  it('shows a page while the provider does not answer, and recovers', async () => {
    const fresh = await consoleWithIssuer();
    try {
      fresh.issuer.isDown = true;
      const browser = new ScriptedBrowser();
      const down = await browser.request(`${fresh.url}/auth/sign-in`);
      expect([down.status, down.text]).toEqual([503, expect.stringContaining('does not answer')]);
      fresh.issuer.isDown = false;
      let status = 0;
      // The console asks again a second after a failure.
      await until(
        () => `the console redirects to the provider, and does not answer ${status}`,
        async () => (status = (await browser.request(`${fresh.url}/auth/sign-in`)).status) === 303,
        100,
      );
    } finally {
      await fresh.close();
    }
  });
});

import fc from 'fast-check';
import { claimAt, groupNames, roleOfGroups } from './claims.js';
import { cookieHeader, readCookie, SESSION_COOKIE, sessionToken } from './cookies.js';
import { localPath } from './local-path.js';
import { requireOwnPage } from './own-page.js';
import { flowFrom, flowValue } from './sign-in-flow.js';

const head = (headers: Record<string, string>) => ({ headers });
const TOKEN = 'A'.repeat(43);

describe('localPath', () => {
  it('never leads to another site', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string({ unit: fc.constantFrom('/', '\\', '.', '\t', '\n', ':', '@', 'e', '?', '#', '%2f') }),
    );
    fc.assert(
      fc.property(hostile, fc.constantFrom('', '/', '//', '/./', '/\\'), (text, start) => {
        const url = new URL(localPath(start + text), 'https://casefile.example');
        expect(url.origin).toBe('https://casefile.example');
        expect(localPath(start + text)).toMatch(/^\/(?![/\\])/);
      }),
    );
  });

  it('keeps the query and the fragment of a page', () => {
    expect(localPath('/review?state=all#top')).toBe('/review?state=all#top');
    for (const to of [undefined, ['/a'], '/auth/callback', '/AUTH/sign-in', `/${'a'.repeat(2_000)}`])
      expect(localPath(to)).toBe('/');
  });
});

describe('the cookie of a session', () => {
  it('has the prefix __Host- and Secure, except on loopback', () => {
    expect(cookieHeader(head({ host: 'casefile.example' }), SESSION_COOKIE, TOKEN)).toBe(
      `__Host-cf=${TOKEN}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(cookieHeader(head({ host: 'localhost:3000' }), SESSION_COOKIE, '')).toBe(
      'cf=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    );
  });

  it('counts under its plain name on loopback alone', () => {
    const cookie = `a=1; cf=${TOKEN}`;
    expect(sessionToken(head({ host: '127.0.0.1:3000', cookie }))).toBe(TOKEN);
    expect(sessionToken(head({ host: 'casefile.example', cookie }))).toBeNull();
    expect(sessionToken(head({ host: 'casefile.example', cookie: `__Host-cf=${TOKEN}` }))).toBe(TOKEN);
  });

  it('is refused twice, in another form, or among too many others', () => {
    const of = (cookie: string) => sessionToken(head({ host: 'localhost', cookie }));
    for (const cookie of [`cf=${TOKEN}; cf=${TOKEN}`, `cf=${TOKEN}A`, 'cf=', 'cf', ''])
      expect(of(cookie)).toBeNull();
    const large = head({ host: 'localhost', cookie: `cf=${TOKEN}; a=${'x'.repeat(8_192)}` });
    expect(() => readCookie(large, SESSION_COOKIE)).toThrow('cookies are larger');
  });
});

describe('requireOwnPage', () => {
  const check = (method: string, headers: Record<string, string>, publicUrl: string | null = null) => {
    try {
      requireOwnPage({ method, headers: { host: 'casefile.example', ...headers } }, publicUrl);
      return true;
    } catch {
      return false;
    }
  };

  it('accepts an act of our own page alone', () => {
    expect(check('POST', { 'sec-fetch-site': 'same-origin' })).toBe(true);
    expect(check('POST', { origin: 'https://casefile.example' })).toBe(true);
    expect(check('POST', { origin: 'http://casefile.example' })).toBe(false);
    expect(check('POST', {})).toBe(false);
    for (const site of ['none', 'same-site', 'cross-site'])
      expect(check('POST', { 'sec-fetch-site': site })).toBe(false);
    expect(check('POST', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).toBe(false);
  });

  it('accepts the public URL as the origin behind a proxy with another Host', () => {
    const headers = { host: 'console:3000', origin: 'https://casefile.example' };
    expect(check('POST', headers, 'https://casefile.example')).toBe(true);
    expect(check('POST', headers)).toBe(false);
  });

  it('lets other sites open a page, and read nothing', () => {
    const navigation = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(check('GET', navigation)).toBe(true);
    expect(check('POST', navigation)).toBe(false);
    expect(check('GET', { ...navigation, 'sec-fetch-dest': 'iframe' })).toBe(false);
    expect(check('GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(false);
    expect(check('GET', { upgrade: 'websocket' })).toBe(false);
    expect(check('GET', { upgrade: 'websocket', origin: 'https://casefile.example' })).toBe(true);
  });
});

describe('the state of a sign-in', () => {
  const flow = { state: TOKEN, nonce: TOKEN, verifier: TOKEN, to: '/cases', at: 1_000 };

  it('survives its cookie for ten minutes', () => {
    expect(flowFrom(flowValue(flow), 1_000)).toEqual(flow);
    expect(flowFrom(flowValue(flow), 601_000)).toBeNull();
    expect(flowFrom(flowValue(flow), 999)).toBeNull();
    expect(flowFrom(flowValue({ ...flow, to: '//evil.example' }), 1_000)?.to).toBe('/');
  });

  it('is null for any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(flowFrom(text, 0)).toBeNull()));
    for (const text of [null, '', 'bnVsbA', Buffer.from('{"state":1}').toString('base64url')])
      expect(flowFrom(text, 0)).toBeNull();
  });
});

describe('claims', () => {
  it('are found by name, also with dots, and by path', () => {
    const claims = { 'https://a.example/groups': ['x'], realm_access: { roles: ['y'] }, one: 'z' };
    expect(groupNames(claimAt(claims, 'https://a.example/groups'))).toEqual(['x']);
    expect(groupNames(claimAt(claims, 'realm_access.roles'))).toEqual(['y']);
    expect(groupNames(claimAt(claims, 'one'))).toEqual(['z']);
    for (const name of ['none', 'realm_access.none', 'one.length', '__proto__', 'constructor.name'])
      expect(groupNames(claimAt(claims, name))).toBeNull();
  });

  it('give the highest role, and no role to unknown groups', () => {
    const roles = { low: 'viewer', high: 'admin' } as const;
    expect(roleOfGroups(['staff', 'low', 'high', 'low'], roles)).toEqual({
      role: 'admin',
      groups: ['low', 'high'],
    });
    expect(roleOfGroups(['staff', 'toString', '__proto__'], roles)).toBeNull();
  });
});

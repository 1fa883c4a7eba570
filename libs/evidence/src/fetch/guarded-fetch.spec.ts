import type { LookupFunction } from 'node:net';
import { manualClock } from '@casefile/contracts/testing';
import { json, raw, startLocalService, type LocalService } from '../testing/local-service.js';
import { isAllowedHost, isPublicAddress } from './addresses.js';
import { createGuardedFetch, createGuardedRead, type GuardedFetchOptions } from './guarded-fetch.js';

const clock = manualClock();
const context = { clock, signal: new AbortController().signal };
/** A name server that answers everything with these addresses. */
const resolvesTo =
  (...addresses: string[]): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

describe('the guarded fetch', () => {
  let service: LocalService;
  beforeEach(async () => (service = await startLocalService(json({ ok: true }))));
  afterEach(() => service.close());

  const get = (path = '/x', options: Partial<GuardedFetchOptions> = {}) =>
    createGuardedFetch({ baseUrl: service.baseUrl, ...options })({ path }, context);
  const redirectTo = (location: string) => service.answer(raw('', 302, { location }));

  it('reaches the host of its base URL also when that is on loopback', async () => {
    await expect(get()).resolves.toMatchObject({ status: 200, body: { ok: true } });
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '::1'],
    ['a private network', '10.1.2.3'],
    ['a private network', '192.168.0.9'],
    ['a unique local address', 'fd00::1'],
    ['cloud metadata', '169.254.169.254'],
    ['an IPv4 address in an IPv6 one', '::ffff:127.0.0.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['nowhere', '0.0.0.0'],
  ])('refuses a redirect to an allowed name that leads to %s (%s)', async (_what, address) => {
    redirectTo('http://registry.example/x');
    const options = { allowedHosts: ['registry.example'], lookup: resolvesTo(address) };
    await expect(get('/x', options)).rejects.toMatchObject({ reasonCode: 'address_refused' });
  });

  it('refuses a name as soon as one of its addresses is not public', async () => {
    redirectTo('http://registry.example/x');
    const options = { allowedHosts: ['registry.example'], lookup: resolvesTo('93.184.216.34', '127.0.0.1') };
    await expect(get('/x', options)).rejects.toMatchObject({ reasonCode: 'address_refused' });
  });

  it('judges the address the connection is made to, so that a second look-up cannot lead elsewhere', async () => {
    redirectTo('http://rebind.example/x');
    const asked: string[] = [];
    const lookup: LookupFunction = (hostname, options, callback) => {
      asked.push(hostname);
      resolvesTo('127.0.0.1')(hostname, options, callback);
    };
    await expect(get('/x', { allowedHosts: ['rebind.example'], lookup })).rejects.toMatchObject({
      reasonCode: 'address_refused',
    });
    expect(asked).toEqual(['rebind.example']);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
  ])('refuses %s, an address that is never looked up, even when it is on the list', async (location) => {
    redirectTo(location);
    const allowedHosts = [new URL(location).host];
    await expect(get('/x', { allowedHosts })).rejects.toMatchObject({ reasonCode: 'address_refused' });
  });

  it.each([
    'http://user:pw@registry.example/',
    'ftp://registry.example/',
    'http://other.example/',
    'http://[half',
  ])('refuses a redirect to %s', async (location) => {
    redirectTo(location);
    const options = { allowedHosts: ['registry.example'], lookup: resolvesTo('93.184.216.34') };
    await expect(get('/x', options)).rejects.toMatchObject({ reasonCode: 'redirect_refused' });
  });

  it('follows three redirects within its own host and no fourth', async () => {
    const hops = (count: number) =>
      service.answer((request, response) => {
        const at = Number(new URL(request.url ?? '', service.baseUrl).searchParams.get('at') ?? 0);
        if (at === count) return json({ at })(request, response, '');
        response.writeHead(307, { location: `/x?at=${at + 1}` }).end();
      });
    hops(3);
    await expect(get()).resolves.toMatchObject({ body: { at: 3 } });
    hops(4);
    await expect(get()).rejects.toMatchObject({ reasonCode: 'redirect_refused' });
  });

  it('does not redirect what carries a body', async () => {
    redirectTo('/elsewhere');
    const post = createGuardedFetch({ baseUrl: service.baseUrl })(
      { path: '/x', method: 'POST', body: {} },
      context,
    );
    await expect(post).rejects.toMatchObject({ reasonCode: 'redirect_refused' });
  });

  it('sends its key to its own host', async () => {
    await createGuardedFetch({ baseUrl: service.baseUrl })(
      { path: '/x', headers: { 'x-apikey': 'k' } },
      context,
    );
    expect(service.requests[0]?.headers['x-apikey']).toBe('k');
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', new Date(clock.now() + 60_000).toUTCString(), 60_000],
    ['a date gone by', new Date(clock.now() - 60_000).toUTCString(), 0],
    ['nonsense', 'soon', undefined],
  ])('reads Retry-After as %s', async (_form, value, retryAfterMs) => {
    service.answer(raw('', 429, { 'retry-after': value }));
    const failure = await get().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reasonCode: 'rate_limited', retryable: true });
    expect((failure as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });

  it('counts the bytes of the decoded body', async () => {
    const body = 'x'.repeat(200);
    service.answer(json(body));
    await expect(get('/x', { maxBytes: 202 })).resolves.toMatchObject({ body });
    await expect(get('/x', { maxBytes: 201 })).rejects.toMatchObject({ reasonCode: 'too_large' });
  });

  it('takes an expected status for an answer, with or without JSON', async () => {
    const ask = createGuardedFetch({ baseUrl: service.baseUrl });
    service.answer(json({ no: 1 }, 404));
    await expect(ask({ path: '/x', acceptedStatuses: [404] }, context)).resolves.toMatchObject({
      status: 404,
      body: { no: 1 },
    });
    service.answer(raw('not here', 404));
    await expect(ask({ path: '/x', acceptedStatuses: [404] }, context)).resolves.toMatchObject({
      status: 404,
      body: null,
    });
    await expect(ask({ path: '/x' }, context)).rejects.toMatchObject({ reasonCode: 'bad_answer' });
  });

  it('hands the reason of its signal on', async () => {
    service.answer(() => undefined);
    const signal = AbortSignal.timeout(20);
    const asked = createGuardedFetch({ baseUrl: service.baseUrl })({ path: '/x' }, { clock, signal });
    await expect(asked).rejects.toMatchObject({ reasonCode: 'timeout', retryable: true });
  });

  it('has no base URL of another protocol', () => {
    expect(() => createGuardedFetch({ baseUrl: 'file:///etc/passwd' })).toThrow(/file:/);
  });
});

describe('allowed hosts', () => {
  it.each([
    ['http://a.example/', 'a.example', true],
    ['http://a.example/', 'A.Example', true],
    ['http://a.example:8080/', 'a.example', false],
    ['http://a.example:8080/', 'a.example:8080', true],
    ['http://b.a.example/', '*.a.example', true],
    ['http://a.example/', '*.a.example', false],
    ['http://evila.example/', '*.a.example', false],
    ['http://a.example.evil.test/', 'a.example', false],
  ])('%s by %s: %s', (url, pattern, expected) => {
    expect(isAllowedHost(new URL(url), [pattern])).toBe(expected);
  });
});

describe('the guarded read of pages', () => {
  let service: LocalService;
  beforeEach(
    async () => (service = await startLocalService(raw('# Page', 200, { 'content-type': 'text/markdown' }))),
  );
  afterEach(() => service.close());
  const read = (options: Partial<GuardedFetchOptions> = {}) =>
    createGuardedRead({ baseUrl: service.baseUrl, ...options })(
      { path: '/x', headers: { authorization: 'Bearer t' } },
      context,
    );

  it('S2-41 hands on what came, of any content type', async () => {
    const { bytes, contentType } = await read();
    expect([bytes.toString(), contentType]).toEqual(['# Page', 'text/markdown']);
    expect(service.requests[0]?.headers.authorization).toBe('Bearer t');
  });

  it('S2-41 asks no address that is not public unless an operator chose the base URL', async () => {
    await expect(read({ untrusted: true })).rejects.toMatchObject({ reasonCode: 'address_refused' });
    const named = { baseUrl: service.baseUrl.replace('127.0.0.1', 'docs.example'), untrusted: true as const };
    await expect(read({ ...named, lookup: resolvesTo('127.0.0.1') })).rejects.toMatchObject({
      reasonCode: 'address_refused',
    });
    expect(service.requests).toEqual([]);
  });

  it('S2-41 follows no redirect off the list, and refuses what is too long', async () => {
    service.answer(raw('', 302, { location: 'https://elsewhere.example/' }));
    await expect(read({ allowedHosts: ['docs.example'] })).rejects.toMatchObject({
      reasonCode: 'redirect_refused',
    });
    service.answer(raw('x'.repeat(101)));
    await expect(read({ maxBytes: 100 })).rejects.toMatchObject({ reasonCode: 'too_large' });
  });
});

describe('public addresses', () => {
  it.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '[2606:4700::1111]'])(
    '%s is one',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
  it.each(['', 'localhost', '224.0.0.1', '255.255.255.255', 'fe80::1', '64:ff9b::7f00:1', '2002:7f00:1::'])(
    '%s is none',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );
});

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CasefileError, silentLogger, type Json } from '@casefile/contracts';
import { manualClock, temporaryFolder } from '@casefile/contracts/testing';
import { readDomainLists, domainRisk, checkDomain } from './check-domain.js';
import { registrableDomain } from '../registrable-domain.js';
import { rdapDomain, VIRUSTOTAL_NOT_FOUND, virusTotalDomain } from '../testing/documented-answers.js';
import { json, raw, startLocalService, type LocalService } from '../testing/local-service.js';
import { someSettings } from '../testing/settings.js';
import { RdapServer } from '../sources/rdap.js';

const context = { signal: new AbortController().signal, clock: manualClock(), log: silentLogger };
const OLD = rdapDomain('2003-05-01T00:00:00Z');
const YOUNG = rdapDomain('2026-01-01T00:00:00Z');

describe('S1-13 check-domain', () => {
  let virusTotal: LocalService;
  let rdap: LocalService;
  beforeEach(async () => {
    virusTotal = await startLocalService(json(virusTotalDomain(0)));
    rdap = await startLocalService(json(OLD));
  });
  afterEach(() => Promise.all([virusTotal.close(), rdap.close()]));

  const check = async (entityValue: string, entityType = 'domain') => {
    const settings = someSettings({
      virusTotal: { apiKey: 'key', baseUrl: `${virusTotal.baseUrl}/api/v3/` },
      rdap: { baseUrl: rdap.baseUrl },
    });
    const finding = await checkDomain(settings).run({ entityType, entityValue }, context);
    return { ...finding, result: finding.result as Record<string, Json> };
  };

  it('asks both sources and says who answered', async () => {
    const { result, source } = await check('parcel-fee.com');
    expect(result).toEqual({
      domain: 'parcel-fee.com',
      riskLevel: 'low',
      virustotalMalicious: 0,
      ageDays: 8285,
      listed: null,
      sources: { lists: 'not_listed', virustotal: 'answered', rdap: 'answered' },
      missing: [],
    });
    expect(source).toMatch(/^127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+$/);
    expect(virusTotal.requests).toMatchObject([
      { line: 'GET /api/v3/domains/parcel-fee.com', headers: { 'x-apikey': 'key' } },
    ]);
    expect(rdap.requests).toMatchObject([{ line: 'GET /domain/parcel-fee.com' }]);
    expect(rdap.requests[0]?.headers).not.toHaveProperty('x-apikey');
  });

  it.each([
    'https://www.parcel-fee.com/pay?x=1',
    'http://user@a.b.parcel-fee.com:8080/',
    'WWW.PARCEL-FEE.COM',
  ])('looks at the registrable domain of %s', async (url) => {
    await expect(check(url, 'url')).resolves.toMatchObject({ result: { domain: 'parcel-fee.com' } });
  });

  it.each(['http://192.0.2.7/x', 'http://[2001:db8::1]/', 'localhost', '...'])(
    'has no answer for %s',
    async (url) => {
      await expect(check(url, 'url')).rejects.toMatchObject({ reasonCode: 'not_a_domain' });
      expect(virusTotal.requests).toHaveLength(0);
    },
  );

  it('takes "not found" for the answer that the domain is unknown', async () => {
    virusTotal.answer(json(VIRUSTOTAL_NOT_FOUND, 404));
    rdap.answer(raw('no such domain', 404));
    const { result } = await check('parcel-fee.com');
    const sources = { virustotal: 'not_known', rdap: 'not_known' };
    expect(result).toMatchObject({ virustotalMalicious: null, ageDays: null, missing: [], sources });
  });

  it('does not take any 404 for "never seen"', async () => {
    virusTotal.answer(raw('<h1>Not Found</h1>', 404, { 'content-type': 'text/html' }));
    await expect(check('parcel-fee.com')).rejects.toMatchObject({ reasonCode: 'bad_answer' });
  });

  it('S1-15 answers in part when the registry does not, and says which part is missing', async () => {
    rdap.answer(raw('', 500));
    const { result } = await check('parcel-fee.com');
    expect(result).toMatchObject({
      riskLevel: 'low',
      ageDays: null,
      missing: ['rdap'],
      sources: { rdap: 'server_error' },
    });
  });

  it('S1-15 answers in part when the age alone speaks against the domain', async () => {
    virusTotal.answer(raw('', 429));
    rdap.answer(json(YOUNG));
    const { result } = await check('parcel-fee.com');
    expect(result).toMatchObject({ riskLevel: 'medium', virustotalMalicious: null, missing: ['virustotal'] });
  });

  it('S1-15 never calls a domain safe because the engines could not be asked', async () => {
    virusTotal.answer(raw('', 500));
    await expect(check('parcel-fee.com')).rejects.toMatchObject({
      reasonCode: 'server_error',
      retryable: true,
    });
  });

  it('takes the age from VirusTotal when the registry does not say', async () => {
    virusTotal.answer(
      json(virusTotalDomain(1, { creation_date: Date.parse('2026-01-03T00:00:00Z') / 1000 })),
    );
    rdap.answer(json({ objectClassName: 'domain' }));
    await expect(check('parcel-fee.com')).resolves.toMatchObject({
      result: { ageDays: 2, riskLevel: 'high' },
    });
  });

  it('judges a listed domain by the list and makes no call', async () => {
    const blocked = await check('http://login.scam.invalid/', 'url');
    expect(blocked).toMatchObject({
      source: 'local block list',
      result: { riskLevel: 'high', listed: 'block' },
    });
    const allowed = await check('www.wikipedia.org');
    expect(allowed).toMatchObject({
      source: 'local allow list',
      result: { riskLevel: 'low', listed: 'allow' },
    });
    expect([...virusTotal.requests, ...rdap.requests]).toHaveLength(0);
  });

  it('needs no configuration for a listed domain', async () => {
    const bare = checkDomain(someSettings());
    const args = { entityType: 'domain', entityValue: 'kyc-update-now.example' };
    await expect(bare.run(args, context)).resolves.toMatchObject({ result: { riskLevel: 'high' } });
  });

  it('reads lists of your own in place of the shipped ones', () => {
    const folder = temporaryFolder('lists');
    const blockFile = join(folder, 'block.txt');
    writeFileSync(blockFile, '# mine\nBad.Example # a comment\n\n');
    const lists = readDomainLists({ domainLists: { blockFile } });
    rmSync(folder, { recursive: true });
    expect(['bad.example', 'scam.invalid', 'example.org'].map(lists.listingOf)).toEqual([
      'block',
      null,
      'allow',
    ]);
    expect(() => readDomainLists({ domainLists: { blockFile } })).toThrow(/cannot be read/);
  });
});

describe('S1-13 an RDAP server that cannot be reached', () => {
  const failing = (host: string) => () =>
    Promise.reject(
      new CasefileError('network', 'no way out', { retryable: true, details: { host, code: 'ENOTFOUND' } }),
    );
  const server = (answer: () => Promise<{ status: number; body: Json; host: string }>) => {
    const asked: string[] = [];
    const state = { answer };
    const rdap = new RdapServer(({ path }) => (asked.push(path), state.answer()), 'rdap.example');
    return {
      asked,
      state,
      ask: (name: string, clock = manualClock()) => rdap.registeredAt(name, { ...context, clock }),
    };
  };
  const known = () => Promise.resolve({ status: 200, body: OLD, host: 'rdap.example' });

  it('is asked once a minute: those who come at the same time fail with the first', async () => {
    const { asked, state, ask } = server(failing('rdap.example'));
    const clock = manualClock();
    const came = await Promise.allSettled(['a.com', 'b.com', 'c.com'].map((name) => ask(name, clock)));
    expect(came.map((one) => (one.status === 'rejected' ? one.reason.reasonCode : null))).toEqual([
      'network',
      'circuit_open',
      'circuit_open',
    ]);
    expect(asked).toEqual(['/domain/a.com']);
    await expect(ask('d.com', manualClock(clock.now() + 59_000))).rejects.toMatchObject({
      reasonCode: 'circuit_open',
      retryable: false,
    });
    state.answer = known;
    await expect(ask('e.com', manualClock(clock.now() + 60_000))).resolves.toBe(Date.parse('2003-05-01'));
    await expect(ask('f.com', clock)).resolves.not.toBeNull();
    expect(asked).toHaveLength(3);
  });

  it('is distinguished from a registry behind it that is unavailable', async () => {
    const { asked, ask } = server(failing('rdap.registry.example'));
    for (const name of ['a.top', 'b.top'])
      await expect(ask(name)).rejects.toMatchObject({ reasonCode: 'network', retryable: true });
    expect(asked).toHaveLength(2);
  });

  it('S1-15 S1-17 is not configured if no operator chose it and it was never reached, and a failure once it was', async () => {
    const state: { answer: () => ReturnType<ReturnType<typeof failing>> | ReturnType<typeof known> } = {
      answer: failing('rdap.example'),
    };
    const rdap = new RdapServer(() => state.answer(), 'rdap.example', true);
    const ask = (at: number) => rdap.registeredAt('a.com', { ...context, clock: manualClock(at) });
    const gap = {
      reasonCode: 'not_configured',
      message: expect.stringContaining('set VIRUSTOTAL_API_KEY') as string,
    };
    await expect(ask(0)).rejects.toMatchObject(gap);
    await expect(ask(1_000)).rejects.toMatchObject(gap);
    state.answer = known;
    await expect(ask(60_000)).resolves.not.toBeNull();
    state.answer = failing('rdap.example');
    await expect(ask(61_000)).rejects.toMatchObject({ reasonCode: 'network' });
    await expect(ask(62_000)).rejects.toMatchObject({ reasonCode: 'circuit_open' });
  });

  it('S1-15 is a gap that says how to turn it off, and is not tried again', async () => {
    const gone = await startLocalService(json(OLD));
    await gone.close();
    const tool = checkDomain(someSettings({ rdap: { baseUrl: gone.baseUrl } }));
    const ask = () => tool.run({ entityType: 'domain', entityValue: 'parcel-fee.com' }, context);
    await expect(ask()).rejects.toMatchObject({
      reasonCode: 'network',
      retryable: false,
      message: expect.stringContaining('RDAP_BASE_URL=off') as string,
    });
    await expect(ask()).rejects.toMatchObject({ reasonCode: 'circuit_open' });
  });
});

describe('S1-13 the risk level', () => {
  it.each([
    [0, 0, 4000, 'low'],
    [null, null, null, 'low'],
    [0, 3, 4000, 'medium'],
    [1, 0, 4000, 'medium'],
    [1, 0, 29, 'high'],
    [3, 0, 4000, 'high'],
    [0, 0, 29, 'medium'],
    [0, 0, 30, 'low'],
  ])('%s malicious, %s suspicious, %s days: %s', (malicious, suspicious, ageDays, level) => {
    expect(domainRisk({ malicious, suspicious, ageDays })).toBe(level);
  });
});

describe('the registrable domain', () => {
  it.each([
    ['a.b.example.co.uk', 'example.co.uk'],
    ['shop.github.io', 'shop.github.io'],
    ['github.io', 'github.io'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['EXAMPLE.COM.', 'example.com'],
    ['com', null],
    ['10.0.0.1', null],
  ])('of %s is %s', (value, expected) => {
    expect(registrableDomain(value)).toBe(expected);
  });
});

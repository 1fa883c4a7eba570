import { silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { json, startLocalService, type LocalService } from '../testing/local-service.js';
import { someSettings } from '../testing/settings.js';
import { searchComplaints } from './search-complaints.js';

const context = { signal: new AbortController().signal, clock: manualClock(), log: silentLogger };

describe('S1-12 search-complaints', () => {
  let service: LocalService;
  beforeEach(async () => (service = await startLocalService(json({ results: [] }))));
  afterEach(() => service.close());

  const search = (entityType: string, entityValue: string) => {
    const exa = { apiKey: 'key', baseUrl: service.baseUrl };
    return searchComplaints(someSettings({ exa })).run({ entityType, entityValue }, context);
  };

  it('asks for pages that hold the value, with the key in its header', async () => {
    await expect(search('email', 'win@prize.example')).resolves.toMatchObject({ result: { results: [] } });
    const [request] = service.requests;
    expect(request).toMatchObject({ line: 'POST /search', headers: { 'x-api-key': 'key' } });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      query: 'complaints and scam reports about the e-mail address "win@prize.example"',
      numResults: 15,
      includeText: ['win@prize.example'],
      contents: { text: { maxCharacters: 500 } },
    });
  });

  it('asks about a URL by its domain, so that nothing secret in it is sent out', async () => {
    await search('url', 'https://pay.parcel-fee.com/u/1?token=abc');
    expect(service.requests[0]?.body).toContain('parcel-fee.com');
    expect(service.requests[0]?.body).not.toContain('token');
  });

  it('keeps what it finds short and leaves out links that are none', async () => {
    const page = { url: 'https://a.example/', title: 't'.repeat(999), text: 'x '.repeat(9999) };
    service.answer(
      json({
        results: [
          page,
          { ...page, url: 'javascript:alert(1)' },
          { ...page, url: `https://a.example/${'y'.repeat(3000)}` },
        ],
      }),
    );
    const { result } = await search('domain', 'parcel-fee.com');
    const { results } = result as { results: { title: string; snippet: string }[] };
    expect(results).toHaveLength(1);
    expect(results[0]?.title).toHaveLength(300);
    expect(results[0]?.snippet.length).toBeLessThanOrEqual(500);
  });
});

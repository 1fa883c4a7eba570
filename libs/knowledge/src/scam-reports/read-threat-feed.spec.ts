import { readThreatFeed } from './read-threat-feed.js';
import type { ScamReportInput } from './scam-report-base.js';

async function reports(text: string, type: 'domain' | 'url' | 'ip' | 'email' = 'domain') {
  const all: ScamReportInput[] = [];
  readThreatFeed(Buffer.from(text), { type, risk: 90, source: 'feed' }, (page) => all.push(...page));
  return all;
}
const read = async (...given: Parameters<typeof reports>) =>
  (await reports(...given)).map(({ entityValue }) => entityValue);

describe('threat feeds', () => {
  it('S1-11 are read line by line, without comments, empty lines and repeats', async () => {
    const text = '# list\n\nEvil.example\r\n evil.example \n; note\n0.0.0.0 bad.example\n';
    expect(await read(text)).toEqual(['evil.example', 'bad.example']);
    expect((await reports('evil.example'))[0]).toEqual({
      entityType: 'domain',
      entityValue: 'evil.example',
      reportCount: 1,
      riskScore: 90,
      source: 'feed',
    });
  });

  it('keep URLs as they are, and read addresses', async () => {
    expect(await read('https://evil.example/Login?a=B', 'url')).toEqual(['https://evil.example/Login?a=B']);
    expect(await read('192.0.2.7\n2001:db8::1', 'ip')).toEqual(['192.0.2.7', '2001:db8::1']);
    expect(await read('A@evil.example', 'email')).toEqual(['a@evil.example']);
  });

  it('are refused as a whole, with the wrong lines named', async () => {
    await expect(read('evil.example\n<html>\nnot a domain')).rejects.toMatchObject({
      problems: [
        { path: 'line 2', message: 'expected a domain' },
        { path: 'line 3', message: 'expected a domain' },
      ],
    });
    await expect(read('# nothing')).rejects.toMatchObject({
      problems: [{ message: 'expected at least one value' }],
    });
    await expect(read('x'.repeat(3_000))).rejects.toMatchObject({
      problems: [{ path: 'line 1', message: 'expected at most 2048 bytes, and it has 3000' }],
    });
  });
});

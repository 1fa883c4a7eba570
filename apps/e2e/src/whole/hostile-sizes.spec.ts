import { hostileInputs } from '../hostile-sizes/inputs.js';
import { MOST_BLOCKED_MS, MOST_OWN_MB, outsidePlaces } from '../hostile-sizes/outside-bytes.js';
import { startHostileService, type HostileService } from '../hostile-sizes/measure.js';

/** What is said of each input, by its name: the limit, and what to do. null: it is read. */
const REFUSALS: Record<string, RegExp | null> = {
  'Body: one megabyte of Chinese text': null,
  'Body: one megabyte of secrets': null,
  'Body: 49,000 fields': null,
  'Body: eight million brackets': /more than 200000 values: the setting intake\.maxBatchValues/,
  'Body: three million empty objects': /more than 50000 values: the setting intake\.maxAlertValues/,
  'Image: 24 million white pixels': null,
  'Image: 400 million white pixels': /more than 25000000 pixels/,
  'Image: noise': null,
  'Model: two megabytes of empty objects': /more than 200000 values/,
  'Model: an event of two megabytes of empty objects': /is not whole/,
  'Model: an endless stream of events': /larger than 2000000 bytes/,
  'Model: an endless answer': /larger than 2000000 bytes/,
  'Service: two megabytes of empty objects': /more than 200000 values/,
  'Service: a gzip bomb': /more than 2000000 bytes/,
  'Receiver: an endless answer': /^2000 bytes were read/,
  'Receiver: a gzip bomb': /^2000 bytes were read/,
  'Sign-in: an endless document': /does not answer/,
  'Sign-in: a gzip bomb': /does not answer/,
  'Alertmanager: four megabytes of empty objects': /more than 200000 values/,
  'Alertmanager: a gzip bomb': /more than 4000000 bytes/,
  'Git with 400 MB of zeros': /zeros\.bin.* at most 100,000,000 bytes in all .*uploadpack\.allowFilter/,
  'Git with Markdown of 300 MB': /large\.md.* at most 100,000,000 bytes in all .*uploadpack\.allowFilter/,
  'PDF whose page unpacks to 600 MB': /unpacks to more than 32,000,000 bytes\. Print it/,
  'PDF whose page is packed twice': /more than 250 MB of memory .*Divide/,
  'Markdown with 200,000 headings': /more than 20,000 headings.* Divide/,
  'HTML with 200,000 headings': /more than 20,000 headings.* Divide/,
  'Markdown with a list nested 3,000 deep': /more than 100 lists.* flatter form/,
  'Markdown with 50 MB of words': /at most 10,000,000 can be read\. Divide/,
  'Markdown with 9 MB of emphasis': /more than (250 MB of memory|60 s) .*Divide/,
  'Import of scam-patterns: a list of 20 million empty objects':
    /has 20000000 entries, and at most 500000 .*Divide it/,
  'Import of scam-reports: 10 million open brackets': /has 10485761 values, and at most 5000000 .*Divide it/,
  'Import of threat-feed: a table of 2.5 million lines': /has 2500001 lines, and at most 500000 .*Divide it/,
  'Import of policy: a table of 2.5 million lines':
    /has 50,000,017 bytes, and at most 10,000,000 .*Divide it/,
  'Import of runbooks: front matter of 1.5 million keys':
    /has 18000012 bytes, and at most 1000000 .*Divide it/,
  'YAML settings of 50 MB': /bytes, and at most 1000000 can be read; what was read before stays/,
  'YAML settings of 1 MB with all its marks': /what was read before stays/,
  'YAML settings with aliases of aliases': /alias count.*; what was read before stays/,
  'Tool result of 1.5 million values over HTTP': /more than 200000 values: \d+ bytes with the SHA-256/,
  'Tool result of 1.5 million values over stdio': /more than 200000 values: \d+ bytes with the SHA-256/,
  'Tool list of 20,000 tools over HTTP': /is down: .* a list of 2000 entries, more than 1000: \d+ bytes/,
  'Tool list of 20,000 tools over stdio': /is down: .* a list of 2000 entries, more than 1000: \d+ bytes/,
};

describe('S4-14 S2-41 an input that is small as it is sent and large as it is read', () => {
  // One for all of them: it lives, or the next input is not refused.
  let service: HostileService;
  beforeAll(() => void (service = startHostileService()));
  afterAll(() => service.stop());

  it('has a refusal that is expected of it', () => {
    expect(hostileInputs.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(REFUSALS)));
  });

  it.each(Object.entries(REFUSALS))(
    '%s is read or refused within the bounds of its place, and the service lives',
    async (name, refusal) => {
      const input = hostileInputs.find((one) => one.name === name);
      if (input === undefined) throw new Error(`there is no input ${name}`);
      const { refusedWith, blockedMs, ownPeakMb } = await service.meet(input, false);
      if (refusal === null) expect(refusedWith).toBeNull();
      else expect(refusedWith).toMatch(refusal);
      const place = outsidePlaces.find(({ inputs }) => inputs.some((one) => name.startsWith(one)));
      expect(blockedMs).toBeLessThanOrEqual(MOST_BLOCKED_MS);
      expect(ownPeakMb ?? 0).toBeLessThanOrEqual(place?.ownMb ?? MOST_OWN_MB);
    },
    300_000,
  );
});

import { readFileSync } from 'node:fs';
import { mailByRules } from './testing/mail-by-rules.js';

interface LabelledMail {
  id: string;
  text: string;
  isScam: boolean;
  note: string;
}

const mailsOf = (set: string): LabelledMail[] =>
  readFileSync(new URL(`../../../../samples/eval/${set}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledMail);

const sortOf = ({ isScam, note }: LabelledMail) => (isScam ? 'phishing' : (note.split(':')[0] ?? ''));

describe.each(['mails-seen', 'mails-unseen'])('S1-17 S3-44 the set %s by rules', (set) => {
  /** Dispositions of both kinds, by the sort of mail. */
  const bySort = new Map<string, string[][]>();
  beforeAll(async () => {
    for (const mail of mailsOf(set)) {
      const { dispositions } = await mailByRules(mail.text);
      bySort.set(sortOf(mail), [...(bySort.get(sortOf(mail)) ?? []), dispositions]);
    }
  }, 60_000);

  describe.each([
    ['scam-verdict', 0],
    ['message-screening', 1],
  ])('%s', (_kind, at) => {
    const share = (sort: string, disposition: string) => {
      const all = (bySort.get(sort) ?? []).map((one) => one[at]);
      return all.filter((one) => one === disposition).length / all.length;
    };

    it('dismisses no phishing mail and acts on at least six tenths', () => {
      expect(bySort.get('phishing')?.length).toBeGreaterThanOrEqual(20);
      expect(share('phishing', 'dismiss')).toBe(0);
      expect(share('phishing', 'act')).toBeGreaterThanOrEqual(0.6);
    });

    it('acts on no harmless mail, and dismisses most newsletters and personal mails', () => {
      for (const sort of bySort.keys())
        if (sort !== 'phishing') expect([sort, share(sort, 'act')]).toEqual([sort, 0]);
      expect(share('newsletter', 'dismiss')).toBeGreaterThanOrEqual(0.6);
      expect(share('personal', 'dismiss')).toBeGreaterThanOrEqual(0.7);
    });
  });
});

const TRUSTED = ['mx.home.example'];
const NEWS = [
  'From: Green Market <news@greenmarket.example>',
  'To: you@home.example',
  'Subject: Opening hours',
  'Message-ID: <1@greenmarket.example>',
  'List-Unsubscribe: <https://greenmarket.example/leave>',
  'Content-Type: text/plain; charset=utf-8',
];
const ENGLISH =
  'Hello, the market is open on Saturday from nine to one. Come and see the new stalls by the river.';
const GERMAN =
  'Guten Tag, der Markt ist am Samstag von neun bis eins geöffnet. Besuchen Sie die neuen Stände am Fluss.';
const PASS = 'Authentication-Results: mx.home.example; dmarc=pass header.from=greenmarket.example';
const FAIL = 'Authentication-Results: mx.home.example; dmarc=fail header.from=greenmarket.example';
const FORGED = 'Authentication-Results: mx.elsewhere.example; dmarc=pass header.from=greenmarket.example';

describe.each([
  ['English', ENGLISH],
  ['German', GERMAN],
])('S1-17 authentication and the disposition of a mail in %s', (_language, body) => {
  const judged = async (results: string[], trusted: string[], headers = NEWS) =>
    (await mailByRules([...results, ...headers, '', body].join('\r\n'), trusted)).dispositions;

  it.each<[string, string[], string[]]>([
    ['nothing is checked', [], []],
    ['DMARC passes', [PASS], TRUSTED],
    ['a failure is stated by a server that is not trusted', [FAIL.replace('mx.home', 'mx.evil')], TRUSTED],
    ['a forged failure stands below', [PASS, FAIL], TRUSTED],
  ])('a newsletter is dismissed if %s', async (_what, results, trusted) => {
    expect(await judged(results, trusted)).toEqual(['dismiss', 'dismiss']);
  });

  it.each<[string, string[]]>([
    ['that looks fine', [FAIL]],
    ['below a forged pass', [FORGED, FAIL]],
    ['above a forged pass', [FAIL, PASS]],
  ])('a newsletter that fails DMARC is not dismissed: %s', async (_what, results) => {
    expect(await judged(results, TRUSTED)).not.toContain('dismiss');
  });

  it('a mail from a lookalike domain is not dismissed although DMARC passes for it', async () => {
    const pass = PASS.replace('greenmarket', 'paypal-news');
    const headers = NEWS.map((line) => line.replaceAll('greenmarket', 'paypal-news'));
    expect(await judged([pass], TRUSTED, headers)).not.toContain('dismiss');
  });

  it('a mail that asks for a password is not dismissed although DMARC passes', async () => {
    const asks = 'Send us your password. Bitte senden Sie uns Ihr Passwort.';
    const { dispositions } = await mailByRules([PASS, ...NEWS, '', `${body} ${asks}`].join('\r\n'), TRUSTED);
    expect(dispositions).not.toContain('dismiss');
  });
});

import { NOTICE_LABELS } from './notice-labels.js';
import { MOST_NOTICE, noticeText, resolvedNotice, type Notice } from './notice.js';

const LINK = 'https://casefile.example/cases/1';
const notice: Notice = {
  what: 'CheckoutDown. 34.8 % of requests fail',
  whom: null,
  since: null,
  why: 'The cause is not known.',
  quote: null,
  first: null,
};

describe('a notice', () => {
  it('that an alert is resolved is in the language of the alert', () => {
    const { title, text } = resolvedNotice(notice, 'de', '2026-01-05T11:00:00Z', LINK);
    expect(title).toBe('BEHOBEN: CheckoutDown. 34.8 % of requests fail');
    expect(text.split('\n')).toEqual([
      title,
      'Der Absender meldet, dass der Alarm behoben ist: 2026-01-05 11:00 UTC',
      LINK,
    ]);
  });

  it('has the fixed phrases of the rules in the language of the alert', () => {
    const since = '2026-01-05 10:00 UTC, still firing';
    const why = 'The cause is not known. The alert is critical.';
    expect(
      noticeText('page', { ...notice, since, why }, 'de', LINK)
        .split('\n')
        .slice(1, 3),
    ).toEqual([
      'Seit: 2026-01-05 10:00 UTC, besteht noch',
      'Grund: Die Ursache ist nicht bekannt. Der Alarm ist kritisch.',
    ]);
    const first = 'Open the runbook: https://wiki.example/r';
    for (const code of Object.keys(NOTICE_LABELS).filter((one) => one !== 'en'))
      expect(noticeText('page', { ...notice, since, why, first }, code, LINK)).not.toMatch(
        /firing|The (?:cause|alert)|the runbook/,
      );
  });

  it('in a language without labels is English', () => {
    expect(resolvedNotice(notice, 'sw-KE', null, LINK).text).toBe(
      `RESOLVED: CheckoutDown. 34.8 % of requests fail\nThe sender reports that the alert is resolved\n${LINK}`,
    );
  });

  it.each(Object.keys(NOTICE_LABELS))(
    'has at most 1,200 characters in %s, and ends with its link',
    (code) => {
      const long = 'ä'.repeat(5_000);
      const parts = { what: long, whom: long, since: long, why: long, quote: long, first: long };
      for (const text of [
        noticeText('page', parts, code, LINK),
        resolvedNotice(parts, code, long, LINK).text,
      ]) {
        expect([...text].length).toBeLessThanOrEqual(MOST_NOTICE);
        expect(text.endsWith(`\n${LINK}`)).toBe(true);
      }
    },
  );
});

import fc from 'fast-check';
import { authenticationResults, mailAuthentication } from './authentication-results.js';
import { readMail } from './read-mail.js';

const TRUSTED = ['mx.home.example'];
const results = (value: string) =>
  authenticationResults(value)?.methods.map(({ method, result, domain }) =>
    `${method}=${result} ${domain}`.trim(),
  );

describe('S1-17 headers Authentication-Results (RFC 8601)', () => {
  it.each<[string, string, string[]]>([
    ['no results', 'mx.home.example; none', []],
    ['no results, with a version', 'mx.home.example 1; none', []],
    [
      'SPF, DKIM and DMARC',
      'mx.home.example; spf=pass smtp.mailfrom=bounce@shop.example; dkim=pass header.d=shop.example header.s=s1; dmarc=pass (p=reject) header.from=shop.example',
      ['spf=pass shop.example', 'dkim=pass shop.example', 'dmarc=pass shop.example'],
    ],
    [
      'comments, also nested and with escaped brackets and semicolons',
      'mx.home.example (our (own\\) ; dmarc=pass) server) 1 (v1) ; dmarc (policy; none) = (x) fail (p=none dis=none) header.from (c) = bank.example',
      ['dmarc=fail bank.example'],
    ],
    [
      'folded lines and white space around dots',
      'mx.home.example;\r\n\tspf=softfail\r\n\t smtp . mailfrom=a.example;\r\n\tdkim=fail\r\n header. d=b.example',
      ['spf=softfail a.example', 'dkim=fail b.example'],
    ],
    [
      'a quoted reason that contains results',
      'mx.home.example; dkim=fail reason="bad; dmarc=pass header.from=bank.example" header.i=@b.example',
      ['dkim=fail b.example'],
    ],
    [
      'versions of a method',
      'mx.home.example; dkim/1=pass header.d=a.example; spf/2=pass',
      ['dkim=pass a.example', 'spf=unknown'],
    ],
    ['upper case', 'MX.HOME.EXAMPLE; DMARC=FAIL header.FROM=Bank.Example', ['dmarc=fail bank.example']],
    [
      'values with signs that need quotes',
      'mx.home.example; dkim=pass header.d=a.example header.b=abc/+d=; spf=none',
      ['dkim=pass a.example', 'spf=none'],
    ],
    [
      'the first of two values',
      'mx.home.example; dmarc=fail header.from=bank.example header.from=evil.example',
      ['dmarc=fail bank.example'],
    ],
  ])('are read with %s', (_what, value, expected) => {
    expect(results(value)).toEqual(expected);
  });

  it.each([
    ['empty', ''],
    ['a comment without an end', 'mx.home.example (; dmarc=pass'],
    ['a quote without an end', 'mx.home.example; dkim=fail reason="; dmarc=pass'],
    ['another version', 'mx.home.example 2; dmarc=pass'],
    ['no server', '; dmarc=pass'],
    ['words after the server', 'mx.home.example dmarc=pass'],
    ['a result without a value', 'mx.home.example; dmarc='],
    ['comments that are too deep', `mx.home.example ${'('.repeat(30)}${')'.repeat(30)}; dmarc=pass`],
    ['too long', `mx.home.example; ${'spf=none; '.repeat(1_000)}`],
    ['too many results', `a.example; ${'a=b;'.repeat(60)}`],
  ])('are refused: %s', (_what, value) => {
    expect(authenticationResults(value)).toBeNull();
  });

  it('never throw, and name no more results than the header has', () => {
    const part = fc.constantFrom(
      '(',
      ')',
      '"',
      '\\',
      ';',
      '=',
      '/',
      '.',
      ' ',
      'spf',
      'dmarc',
      'pass',
      'header.from',
      'a.example',
      '1',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const read = authenticationResults(parts.join(''));
        expect(read?.methods.length ?? 0).toBeLessThanOrEqual(parts.filter((one) => one === ';').length);
      }),
    );
  });
});

const PASS = 'mx.home.example; dmarc=pass header.from=bank.example';
const FAIL = 'mx.home.example; dmarc=fail header.from=bank.example';
const FORGED = 'mail.elsewhere.example; dmarc=pass header.from=bank.example';
const fail = {
  checked: true,
  server: 'mx.home.example',
  methods: [{ method: 'dmarc', result: 'fail', domain: 'bank.example' }],
};

describe('S1-17 authentication of a mail', () => {
  it.each([
    ['without the setting', [FAIL], [], 'the setting mail.trustedAuthservIds names no mail server'],
    ['without a header', [], TRUSTED, 'the mail has no header Authentication-Results'],
    [
      'of other servers only',
      [FORGED],
      TRUSTED,
      'no header Authentication-Results is of a server in mail.trustedAuthservIds',
    ],
    [
      'with a malformed header of the server above a readable one',
      ['mx.home.example (; dmarc=fail', PASS],
      TRUSTED,
      'the header Authentication-Results of mx.home.example is malformed',
    ],
  ])('is not checked %s', (_what, values, trusted, why) => {
    const read = mailAuthentication(values, trusted);
    expect(read).toEqual({
      checked: false,
      why: expect.stringContaining(why.split(' of mx')[0] ?? '') as string,
    });
  });

  it.each([
    ['above', [FORGED, FAIL]],
    ['below', [FAIL, FORGED]],
    ['below in the name of the trusted server', [FAIL, PASS]],
    ['with the name of the server in a comment', ['evil.example (mx.home.example); dmarc=pass', FAIL]],
    ['with a longer name', ['mx.home.example.evil.example; dmarc=pass', FAIL]],
  ])('is that of the topmost trusted header if a forged one stands %s', (_what, values) => {
    expect(mailAuthentication(values, ['MX.home.example'])).toEqual(fail);
  });

  it.each([
    [
      'English',
      '---------- Forwarded message ---------',
      'From: Bank <help@bank.example>',
      'Subject: Your account',
    ],
    [
      'German',
      '-------- Weitergeleitete Nachricht --------',
      'Von: Bank <help@bank.example>',
      'Betreff: Ihr Konto',
    ],
  ])(
    'ignores headers in a forwarded part, as text or as an attached mail: %s',
    async (_language, divider, from, subject) => {
      const inner = [
        `Authentication-Results: ${PASS}`,
        from.replace('Von', 'From'),
        'Subject: x',
        'MIME-Version: 1.0',
        '',
        'Hello',
      ];
      const mail = [
        'From: Ann <ann@home.example>',
        'Subject: Fwd',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        `Is this real?`,
        divider,
        from,
        subject,
        `Authentication-Results: ${PASS}`,
        '--b',
        'Content-Type: message/rfc822',
        '',
        ...inner,
        '--b--',
      ];
      const { mail: read, text } = await readMail(mail.join('\r\n'));
      expect(text).toContain('Attached mail:\nFrom: Bank <help@bank.example>');
      expect(read?.authenticationResults).toEqual([]);
      expect(read?.forwarded).toEqual({
        how: 'attached',
        question: 'Is this real?',
        from: { name: 'Bank', address: 'help@bank.example' },
        replyTo: [],
        returnPath: null,
      });
    },
  );

  it('reads the headers of a mail in their order, unfolded', async () => {
    const mail = [
      `Authentication-Results: ${FORGED.replace('; ', ';\r\n\t')}`,
      'Received: from a by b',
      `authentication-results: ${FAIL}`,
      'From: a@bank.example',
      '',
      'Hello',
    ];
    const { mail: read } = await readMail(mail.join('\r\n'));
    expect(mailAuthentication(read?.authenticationResults ?? [], TRUSTED)).toEqual(fail);
  });
});

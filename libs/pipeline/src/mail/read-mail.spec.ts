import fc from 'fast-check';
import { extractEntities } from '../entities/extract-entities.js';
import { isMail, readMail } from './read-mail.js';

const LINK = 'https://swiftpost-redelivery.example/pay?parcel=20871&from=mail';
const BODY = `Your parcel is held, größer als erlaubt. Pay the fee: ${LINK} today.`;

const mail = (headers: string[], body: string) =>
  [
    'From: SwiftPost <help@swiftpost.example>',
    'To: you@mail.example',
    'MIME-Version: 1.0',
    ...headers,
    '',
    body,
  ].join('\r\n');
const base64 = (text: string) =>
  (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,60}/g) ?? []
  ).join('\r\n');
/** Quoted-printable with a soft line end after every 20 bytes. */
const quoted = (text: string) => {
  const codes = [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
  return Array.from({ length: Math.ceil(codes.length / 20) }, (_, i) =>
    codes.slice(i * 20, i * 20 + 20).join(''),
  ).join('=\r\n');
};
const HTML = `<p>Please confirm your details at <a href="http://evil-login.example/x">https://www.mybank.example</a> today or your account will be locked.</p>`;
const LURE = 'A link shows "www.mybank.example" but leads to "evil-login.example".';

describe('S1-17 a mail as mail programs store it', () => {
  it.each([
    [
      'base64',
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'],
      base64(BODY),
    ],
    [
      'quoted-printable',
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
      quoted(BODY),
    ],
    ['neither', ['Content-Type: text/plain; charset=utf-8'], BODY],
  ])('is decoded, links included: %s', async (_, headers, body) => {
    const { text, notes } = await readMail(mail(headers, body));
    expect(text).toBe(`From: SwiftPost <help@swiftpost.example>\n\n${BODY}`);
    expect(notes).toEqual([]);
    expect(extractEntities(text).entities['url']).toEqual([LINK]);
  });

  it('is read as its HTML if it has both forms, with the subject and another address for replies', async () => {
    const parts = [
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Nothing to see.',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      base64(HTML),
      '--b--',
    ];
    const headers = [
      'Reply-To: other@elsewhere.example',
      `Subject: =?utf-8?B?${Buffer.from('Ihr Konto läuft ab').toString('base64')}?=`,
      'Content-Type: multipart/alternative; boundary=b',
    ];
    const { text, notes } = await readMail(mail(headers, parts.join('\r\n')));
    expect(text).toContain(
      'Reply-To: other@elsewhere.example\nSubject: Ihr Konto läuft ab\n\nPlease confirm your details',
    );
    expect(text).not.toContain('Nothing to see');
    expect(notes).toEqual([LURE]);
  });

  it('names attachments that are not read, with the reason', async () => {
    const parts = [
      '--b',
      'Content-Type: text/plain',
      '',
      'See the bill.',
      '--b',
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename=bill.pdf',
      '',
      'x',
      '--b--',
    ];
    const { text, notes } = await readMail(
      mail(['Content-Type: multipart/mixed; boundary=b'], parts.join('\r\n')),
    );
    expect(text).toContain('See the bill.');
    expect(notes).toEqual(['Attachments of the mail were not read: bill.pdf (a type that is not read).']);
  });

  it('is known by headers of people and of programs, also behind the line of a mailbox', async () => {
    const stored = mail(['Content-Type: text/plain'], 'Hello');
    expect(isMail(stored)).toBe(true);
    expect((await readMail(`From x@mail.example Mon Jan  5 10:00:00 2026\n${stored}`)).text).toMatch(
      /\n\nHello$/,
    );
    expect(isMail('From: Anna\nSubject: lunch\n\nAre we still on?')).toBe(false);
    expect(isMail('Note: pay today at http://parcel.example')).toBe(false);
  });

  it('is left as it is, with a note, if it cannot be decoded', async () => {
    const nested = Array.from(
      { length: 60 },
      (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`,
    );
    const stored = mail(['Content-Type: multipart/mixed; boundary=b0'], nested.join(''));
    const { text, notes } = await readMail(stored);
    expect(text).toBe(stored);
    expect(notes.join()).toMatch(/^The mail could not be decoded: /);
  });
});

describe('S1-17 a text that is HTML', () => {
  it('has the addresses that its links lead to, and a note on one that shows another', async () => {
    const { text, notes } = await readMail(HTML);
    expect(text).toBe(
      'Please confirm your details at https://www.mybank.example <http://evil-login.example/x> today or your account will be locked.',
    );
    expect(notes).toEqual([LURE]);
    expect(extractEntities(text).entities['url']).toContain('http://evil-login.example/x');
  });

  it.each([
    ['the same address', '<p><a href="https://bank.example/a">https://bank.example/a</a></p>'],
    ['a page of the same site', '<p><a href="https://login.bank.example/a">www.bank.example</a></p>'],
    ['words', '<p><a href="https://bank.example/a">Log in</a></p>'],
  ])('has no note if a link shows %s', async (_, html) => {
    expect((await readMail(html)).notes).toEqual([]);
  });

  it('is read in part, with a note, if it is deeper or longer than a mail ever is', async () => {
    const deep = await readMail(`${'<div>'.repeat(5_000)}deep</div>`);
    expect([deep.text.trim(), deep.notes]).toEqual(['deep', [expect.stringContaining('nested too deeply')]]);
    const long = await readMail(`<p>first</p>${'<p>x</p>'.repeat(40_000)}<p>last</p>`);
    expect(long.text).toMatch(/^first/);
    expect(long.notes).toEqual([expect.stringContaining('characters were read')]);
  });
});

describe('S1-17 any other text', () => {
  it('stays as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        fc.pre(!text.includes('<'));
        expect(await readMail(text)).toEqual({ text, notes: [], images: [], mail: null });
      }),
    );
    for (const text of ['I <3 you', 'a < b and c > d', 'Hi Bob <bob@mail.example>', 'use <p> in HTML'])
      expect((await readMail(text)).text).toBe(text);
  });
});

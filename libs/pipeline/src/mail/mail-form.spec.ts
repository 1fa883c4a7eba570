import type { MailFindings } from '@casefile/contracts';
import fc from 'fast-check';
import { readMailHeaders } from './mail-signs.js';
import { readMail } from './read-mail.js';

const TO = 'mara.lind@post.example';
const HEADERS = ['Message-ID: <1@m.example>', 'MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8'];

async function found(headers: readonly string[], body: string): Promise<MailFindings> {
  const { text, mail } = await readMail([...headers, ...HEADERS, '', body].join('\r\n'));
  if (mail === null) throw new Error('expected a mail');
  return readMailHeaders(mail, { text, language: 'en' }, []);
}

it('S1-17 detects the language of a mail whose language is not given', async () => {
  const body = '<p>Hello Mara, thank you for the minutes of the meeting. I have read them and agree.</p>';
  const { text, mail } = await readMail([...shop(), ...HEADERS, '', body].join('\r\n'));
  expect(await readMailHeaders(mail!, { text, language: 'und' }, [])).toMatchObject({ isRead: true });
});

const kinds = ({ signals }: MailFindings) => signals.map(({ kind }) => kind);
const shop = (name = 'Harbour Shop <news@harbourshop.com>') => [
  `From: ${name}`,
  `To: ${TO}`,
  'Subject: News',
];
const link = (url: string, shown = 'here') => `<p>${shown} <a href="${url}">${shown}</a></p>`;
const words = (count: number) => `<p>${Array.from({ length: count }, (_, i) => `word${i}`).join(' ')}</p>`;
const LIST = ['List-Unsubscribe: <https://harbourshop.com/leave>'];

describe('S1-17 S3-44 what the links and the page of a mail show', () => {
  it.each<[string, string, string]>([
    ['a page that anybody may publish', 'hosted_page', link('https://parcel-a1b2.web.app/pay')],
    ['a host that borrows a name', 'suspicious_host', link('https://paypal-help.top/login')],
    ['a host that is only a number', 'suspicious_host', link('http://192.0.2.7/login')],
    [
      'an identifier for another domain',
      'identifies_elsewhere',
      link('https://other.com/c/8f3k20dk39fk40d93jf8'),
    ],
    [
      'a picture in place of the text',
      'text_in_picture',
      '<a href="https://other.com/x"><img src="a.png"></a>',
    ],
    [
      'letters that are hidden',
      'hidden_text',
      `<div style="display: none">${'abcdefg '.repeat(50)}</div>Hello`,
    ],
    [
      'an element that was never closed',
      'tags_left',
      '<p>Hello</p><textarea><textarea style="display:none">x',
    ],
    ['a greeting by the address', 'called_by_address', `<p>Dear ${TO}, how are you?</p>`],
    [
      'a button that writes to a free provider',
      'writes_to_free_provider',
      link('mailto:helpdesk77@gmail.com'),
    ],
    ['another shown address', 'link_shows_other', link('https://other.com/x', 'https://bank-of-hills.com')],
  ])('names %s', async (_what, kind, body) => {
    expect(kinds(await found(shop(), `<html><body>${body}</body></html>`))).toContain(kind);
  });

  it.each<[string, string[], string]>([
    ['its own site', shop(), link('https://www.harbourshop.com/a/8f3k20dk39fk40d93jf8')],
    [
      'clicks counted at its own site',
      shop(),
      link('https://click.harbourshop.com/x', 'https://harbour.news'),
    ],
    ['the address of the sender', shop(), link('mailto:news@harbourshop.com')],
    ['a short hidden preview', shop(), '<div style="display:none">What is new this week</div><p>Hello</p>'],
    ['a greeting by name', shop(), '<p>Dear Mara, how are you?</p>'],
  ])('shows no sign by %s', async (_what, headers, body) => {
    expect((await found(headers, `<html><body>${body}</body></html>`)).weight).toBe(0);
  });

  it('reads headers with names of 65 characters and with underscores', async () => {
    const long = `X-MS-Exchange-CrossTenant-OriginalAttributedTenantConnectingIp: Ip=[192.0.2.1]`;
    const { mail } = await readMail(
      [...shop(), long, 'msip_labels: x', ...HEADERS, '', '<p>Hello</p>'].join('\r\n'),
    );
    expect(mail?.from?.address).toBe('news@harbourshop.com');
  });

  it('finds the name of a sender in the site that it links to', async () => {
    const body = link('https://coraltimes.com/today');
    expect(kinds(await found(shop('Coraltimes <mail@mailmill.com>'), body))).toEqual(['links_elsewhere']);
    expect(kinds(await found(shop('Riverbank <mail@mailmill.com>'), body))).toContain('sender_unlike');
  });

  it('names the poser in a sender without an address', async () => {
    const headers = ['From: Microsoft account team <>', `To: ${TO}`, 'Reply-To: team-helper@gmail.com'];
    expect(kinds(await found(headers, '<p>Hello</p>'))).toEqual(
      expect.arrayContaining(['sender_poses', 'answers_at_free_provider']),
    );
  });

  it('names a sender whose letters are disguised, but not accents', async () => {
    const disguised = 'S\u034ea\u034ev\u034ei\u034en\u034eg\u034es <a@b-mail.com>';
    expect(kinds(await found(shop(disguised), '<p>Hello to you all</p>'))).toEqual(['disguised_letters']);
    expect(kinds(await found(shop('Zoë Müller-Łukasz <a@b-mail.com>'), '<p>Hello to you all</p>'))).toEqual(
      [],
    );
  });

  it('doubts a mail with a word or two and nothing else', async () => {
    expect(kinds(await found(shop(), '<p>hi</p>'))).toEqual(['hardly_any_text']);
    expect(kinds(await found([...shop(), 'In-Reply-To: <0@post.example>'], '<p>Thanks!</p>'))).toEqual([]);
  });

  it('weighs an address that a forwarding service shows less if all links lead to it', async () => {
    const relayed = shop('news@harbourbooks.com <ticket_1@relay-mail.com>');
    const weight = async (body: string) =>
      (await found(relayed, body)).signals.find(({ kind }) => kind === 'sender_shows_other')?.weight;
    expect(await weight(`<p>Our books of May</p>${link('https://www.harbourbooks.com/a')}`)).toBe(0.5);
    expect(await weight(`<p>Our books of May</p>${link('https://other-shop.com/a')}`)).toBe(2);
  });

  it('leaves out files that are encoded in the text', async () => {
    const encoded = ['begin 644 a.bin', 'M4&5R;`IW87,@:&5R90H`', '`', 'end'].join('\r\n');
    const plain = [
      `From: Ann <ann@hill.example>`,
      `To: ${TO}`,
      'Message-ID: <2@hill.example>',
      '',
      `Hi\r\n${encoded}`,
    ];
    const { text } = await readMail(plain.join('\r\n'));
    expect(text).toContain('[file a.bin]');
    expect(text).not.toContain('M4&5R');
  });
});

describe('S1-17 the form of a mail and whether it cites its links', () => {
  const own = link('https://harbourshop.com/week');
  const others = ['one', 'two', 'three', 'four'].map((name) => link(`https://${name}-paper.com/a`)).join('');
  const many = Array.from({ length: 20 }, (_, i) => link(`https://place${i}x.com/a`)).join('');

  it.each<[string, string[], string, MailFindings['form'], boolean]>([
    ['a long newsletter', [...shop(), ...LIST], words(300) + own + others, 'newsletter', true],
    [
      'a long newsletter with a shortened link',
      [...shop(), ...LIST],
      words(300) + own + link('https://bit.ly/3xYz'),
      'newsletter',
      false,
    ],
    ['a short newsletter', [...shop(), ...LIST], own + link('https://one-paper.com/a'), 'newsletter', false],
    ['bulk mail', [...shop(), 'Precedence: bulk'], words(300) + own + others, 'newsletter', true],
    [
      'a footer below links to many sites',
      shop(),
      `${words(300)}${own}${others}Unsubscribe`,
      'newsletter',
      true,
    ],
    [
      'a footer below two links to the sender',
      shop(),
      `${words(300)}${own}${own}Unsubscribe`,
      'newsletter',
      true,
    ],
    [
      'a footer below two links to a sender with the name of another one',
      shop('Walsh Windows <offer@harbourshop.com>'),
      `${words(300)}${own}${own}Unsubscribe`,
      'mail',
      false,
    ],
    [
      'a digest of many sites with an unusual one',
      [...shop(), ...LIST],
      words(300) + own + many + link('https://time.ws/a'),
      'newsletter',
      true,
    ],
    [
      'a digest of many sites with a shortened link',
      [...shop(), ...LIST],
      words(300) + own + many + link('https://bit.ly/3xYz'),
      'newsletter',
      false,
    ],
    ['a footer below one link', shop(), `${words(300)}${own}Unsubscribe`, 'mail', false],
    [
      'a newsletter from a free provider',
      ['From: Deals <deals@gmail.com>', `To: ${TO}`, ...LIST],
      words(300) + others,
      'newsletter',
      false,
    ],
    [
      'a mail to a list',
      ['From: Ann <ann@gmail.com>', 'To: talk@lists.hill.org', 'List-Id: <talk.lists.hill.org>'],
      `<p>See</p>${link('https://one-paper.com/a')}`,
      'discussion',
      true,
    ],
    [
      'a mail to a list that urges',
      ['From: Ann <ann@gmail.com>', 'To: talk@lists.hill.org', 'List-Id: <talk.lists.hill.org>'],
      `<p>Click here</p>${link('https://one-paper.com/a')}`,
      'discussion',
      false,
    ],
    [
      'an answer',
      [...shop(), 'In-Reply-To: <0@post.example>'],
      `<p>See</p>${link('https://one-paper.com/a')}<p>On Monday Ann wrote:</p>`,
      'reply',
      true,
    ],
    [
      'an answer that shows nothing of what it answers',
      [...shop(), 'In-Reply-To: <0@post.example>'],
      link('https://one-paper.com/a'),
      'reply',
      false,
    ],
    [
      'a forwarded mail',
      ['From: Ann <ann@hill.org>', `To: ${TO}`, 'Subject: Fwd: x', 'References: <0@post.example>'],
      link('https://one-paper.com/a'),
      'mail',
      false,
    ],
  ])('%s', async (_what, headers, body, form, citesLinks) => {
    expect(await found(headers, `<html><body>${body}</body></html>`)).toMatchObject({ form, citesLinks });
  });

  it('reads any text without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 400 }), fc.string({ maxLength: 60 }), async (body, name) => {
        const headers = [`From: ${name.replace(/[\r\n]/g, ' ')} <a@b.example>`, `To: ${TO}`];
        const { weight } = await found(headers, body);
        expect(weight).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 50 },
    );
  });
});

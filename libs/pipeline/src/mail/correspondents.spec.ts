import { correspondentDomains } from './correspondents.js';

const domains = (...lines: string[]) => [...correspondentDomains({ text: lines.join('\n'), notes: [] })];
const FROM = 'From: Ann <ann@acme.example>';

describe('S1-17 (b) the domains of those who write to each other', () => {
  it.each<[string, string[], string[]]>([
    ['the sender', [FROM, 'Subject: lunch', '', 'Lunch at 12?'], ['acme.example']],
    [
      'receivers and an answer to the same domain',
      [
        FROM,
        'To: you@home.example',
        'Cc: b@third.example',
        'Reply-To: desk@acme.example',
        '',
        'Lunch at 12?',
      ],
      ['acme.example', 'home.example', 'third.example'],
    ],
    [
      'a quoted header',
      [FROM, '', 'See below.', '', '> From: Bo <bo@other.example>', '> To: ann@acme.example', '> Hi'],
      ['acme.example', 'other.example'],
    ],
    [
      'an answer in German',
      [FROM, '', 'Ja, gern.', '', 'Am 3. Mai schrieb Bo <bo@other.example>:', '> Mittag?'],
      ['acme.example', 'other.example'],
    ],
    ['a signature', [FROM, '', 'See you.', '-- ', 'Ann, office@acme.example'], ['acme.example']],
  ])('%s counts', (_, lines, expected) => {
    expect(domains(...lines)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['a link to the domain of the sender', [FROM, '', 'See https://acme.example/pay now.']],
    ['a bare host of the sender', [FROM, '', 'Go to acme.example and sign in.']],
    ['a text without a sender', ['Write to ann@acme.example']],
    ['a name that shows another address', ['From: "help@bank.example" <ann@acme.example>', '', 'Hello']],
    [
      'another person with an address of a free provider',
      ['From: Ann <ann@gmail.com>', '', 'Write to barrister.james@gmail.com.'],
    ],
    [
      'an answer to another address of a free provider',
      ['From: Ann <ann@gmail.com>', 'Reply-To: james@gmail.com', '', 'Hello'],
    ],
  ])('%s does not', (_, lines) => {
    expect(domains(...lines)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ['an answer', ['Reply-To: ann@elsewhere.example', '', 'Hello']],
    ['a return path', ['Return-Path: <ann@elsewhere.example>', '', 'Hello']],
    ['an address in the text', ['', 'Write to claims@elsewhere.example.']],
    ['an address in a line that quotes nobody', ['', 'On request, write to claims@elsewhere.example:']],
    ['an answer in a quoted header', ['', '> From: b@third.example', '> Reply-To: a@elsewhere.example']],
  ])('%s at another domain does not', (_, lines) => {
    expect(domains(FROM, ...lines)).not.toContain('elsewhere.example');
  });

  it('none counts if the reading left a note, such as an unread attachment', () => {
    const text = `${FROM}\n\nPlease see the attached invoice.`;
    const notes = ['Attachments of the mail were not read: invoice.zip (a type that is not read).'];
    expect(correspondentDomains({ text, notes }).size).toBe(0);
  });
});

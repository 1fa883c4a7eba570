import { readFileSync } from 'node:fs';
import { readMailHeaders } from './mail-signs.js';
import { readMail } from './read-mail.js';

const SETS = new URL('../../../../samples/eval/other-languages.jsonl', import.meta.url);
const MESSAGES = readFileSync(SETS, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { language: string; isScam: boolean; text: string });
const READ = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv'];

async function isLetter(body: string, language: string, more: readonly string[] = []): Promise<boolean> {
  const headers = [
    'From: Anna Weber <anna@weber.example>',
    'To: jan@kunde.example',
    'Message-ID: <1@a.example>',
  ];
  const type = 'Content-Type: text/plain; charset=utf-8';
  const { mail, text } = await readMail([...headers, 'Subject: ...', type, ...more, '', body].join('\r\n'));
  return mail !== null && (await readMailHeaders(mail, { text, language }, [])).isLetter;
}

describe('S1-17 S3-44 a letter in a language that the rules do not read', () => {
  it('is none with a word of money, codes or offices: no scam of eight languages is one', async () => {
    const scams = MESSAGES.filter(({ isScam, language }) => isScam && READ.includes(language));
    const letters = await Promise.all(scams.map(({ text, language }) => isLetter(text, language)));
    expect([scams.length, scams.filter((_, i) => letters[i])]).toEqual([160, []]);
  });

  it('is most harmless messages of these languages', async () => {
    const harmless = MESSAGES.filter(({ isScam, language }) => !isScam && READ.includes(language));
    const letters = await Promise.all(harmless.map(({ text, language }) => isLetter(text, language)));
    expect(letters.filter(Boolean).length / harmless.length).toBeGreaterThan(0.85);
  });

  it('is none with a link, a file or an amount, or in a language without a list', async () => {
    const text = 'Hallo Jan, hast du morgen Zeit für einen Spaziergang am See? Liebe Grüße, Anna';
    expect(await isLetter(text, 'de')).toBe(true);
    expect(await isLetter(`${text} https://fotos.example/see`, 'de')).toBe(false);
    expect(await isLetter(`${text} Es kostet 5 €.`, 'de')).toBe(false);
    expect(await isLetter(text, 'fi')).toBe(false);
  });
});

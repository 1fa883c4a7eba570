import { readFileSync } from 'node:fs';
import { mailByRules } from './testing/mail-by-rules.js';

interface Mail {
  what: string;
  mail: string[];
}
const { honest, phishing } = JSON.parse(
  readFileSync(new URL('./testing/mails.json', import.meta.url), 'utf8'),
) as Record<'honest' | 'phishing', Mail[]>;

const HEADERS = ['Date: Thu, 12 Nov 2026 09:00:00 +0000', 'Message-ID: <m1@letter.example>'];

const dispositions = async (lines: string[]) =>
  (await mailByRules([...HEADERS, ...lines].join('\n'))).dispositions;

describe('S1-17 (b) S3-44 mails by rules', () => {
  it.each(honest)('an honest mail is dismissed: $what', async ({ mail }) => {
    expect(await dispositions(mail)).toEqual(['dismiss', 'dismiss']);
  });

  it.each(phishing)('a phishing mail is not dismissed: $what', async ({ mail }) => {
    expect(await dispositions(mail)).not.toContain('dismiss');
  });
});

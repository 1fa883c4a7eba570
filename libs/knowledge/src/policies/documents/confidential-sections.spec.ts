import { parseDocument, documentFileSourceDigest } from './parse-document.js';

const BODY = `# Claims
## 15 Fast settlement
Paid at once.
## 16 Fraud indicators {confidential}
Kept inside.
### 16.1 List
- F1: an early claim.
## 17 Recovery
From third parties.
`;
const parse = (text: string, confidential?: string[]) =>
  parseDocument({ name: 'claims.md', bytes: Buffer.from(text) }, { confidential });
const marked = async (text: string, confidential?: string[]) =>
  (await parse(text, confidential)).sections.filter((one) => one.confidential).map(({ title }) => title);

describe('S4-15 sections that are confidential', () => {
  it('are marked in their heading, which is no part of the title, with what is below them', async () => {
    expect(await marked(BODY)).toEqual(['16 Fraud indicators', '16.1 List']);
  });

  it.each([
    ['confidential: [15, "17 Recovery"]', ['15 Fast settlement', '17 Recovery']],
    [
      'title: Claims\nconfidential:\n  - 15 fast  settlement\n  - 17\nlang: en',
      ['15 Fast settlement', '17 Recovery'],
    ],
    ['confidential: "17"', ['17 Recovery']],
    ['confidential: false', []],
    ['confidential: true', ['Claims', '15 Fast settlement', '17 Recovery']],
  ])('are named in the front matter: %s', async (front, titles) => {
    const found = await marked(`---\n${front}\n---\n${BODY}`);
    expect(found.filter((title) => !title.startsWith('16'))).toEqual(titles);
  });

  it('are named at import, by title, number or id', async () => {
    expect(await marked(BODY, ['17', '0002'])).toEqual([
      '15 Fast settlement',
      '16 Fraud indicators',
      '16.1 List',
      '17 Recovery',
    ]);
    const file = { name: 'claims.md', bytes: Buffer.from(BODY) };
    expect(documentFileSourceDigest(file, { confidential: ['17'] })).not.toBe(documentFileSourceDigest(file));
  });

  it('are never silently none: a name that no section has imports nothing', async () => {
    await expect(parse(BODY, ['18'])).rejects.toMatchObject({
      reasonCode: 'unknown_section',
      message: expect.stringContaining('"18"') as string,
    });
  });
});

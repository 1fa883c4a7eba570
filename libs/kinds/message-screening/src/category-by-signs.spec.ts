import { readFileSync } from 'node:fs';
import { SIGNAL_KINDS } from '@casefile/pipeline/text-signals/kinds';
import { categoryBySigns } from './category-by-signs.js';
import table from './sign-categories.json' with { type: 'json' };

const patterns = JSON.parse(
  readFileSync(new URL('../../../../samples/scam-patterns.json', import.meta.url), 'utf8'),
) as { category: string }[];

describe('S3-44 the category of a scam found by rules', () => {
  it.each([
    [['easy_income', 'other_channel'], ['lottery', 'job_task'], 'job_task'],
    [['easy_income'], ['lottery'], 'job_task'],
    [['prize', 'asks_fee'], ['lottery'], 'lottery'],
    [['prize', 'asks_fee'], ['romance', 'inheritance', 'lottery'], 'inheritance'],
    [['asks_money', 'deadline'], ['rental', 'travel'], 'rental'],
    [['poses_bank', 'trouble'], ['lottery', 'kyc_banking'], 'kyc_banking'],
    [['lure'], ['rental'], 'rental'],
    [['investment'], ['rental'], 'investment_stock'],
    [['blackmail', 'poses_bank'], [], 'sextortion'],
    [['asks_money'], [], 'other'],
    [[], [], 'other'],
  ])('signs %j near patterns of %j: %s', (signs, near, category) =>
    expect(categoryBySigns(signs, near)).toBe(category),
  );

  it('names only signs that exist, and categories of the shipped patterns', () => {
    const categories = new Set(patterns.map(({ category }) => category));
    for (const { sign, categories: named } of table) {
      expect(Object.keys(SIGNAL_KINDS)).toContain(sign);
      expect(named.filter((one) => !categories.has(one))).toEqual([]);
    }
    expect(new Set(table.map(({ sign }) => sign)).size).toBe(table.length);
  });
});

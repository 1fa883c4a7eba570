import { readFileSync } from 'node:fs';
import { tablesFile } from './tables-file.js';

describe('the columns that statements are checked against', () => {
  it('are those of the schema: `npm run generate` writes them', async () => {
    const written = readFileSync(new URL('../generated/tables.ts', import.meta.url), 'utf8');
    expect(written).toBe(await tablesFile());
  });
});

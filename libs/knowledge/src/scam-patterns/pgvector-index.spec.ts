import { silentLogger } from '@casefile/contracts';
import type { Queryable } from '@casefile/store';
import { hasPgvector } from './pgvector-index.js';

describe('pgvectorIndex', () => {
  it('S3-10 is not there where the server has no pgvector, or does not let it be made', async () => {
    const lacking: Queryable = { rows: async () => [] };
    expect(await hasPgvector(lacking, silentLogger)).toBe(false);
    const warned: string[] = [];
    const log = { ...silentLogger, warn: (_facts: object, message: string) => void warned.push(message) };
    const forbidding: Queryable = {
      rows: async <R extends object>(text: string) => {
        if (text.startsWith('create')) throw new Error('permission denied');
        return [{ installed: null }] as unknown as R[];
      },
    };
    expect(await hasPgvector(forbidding, log)).toBe(false);
    expect(warned).toEqual([expect.stringContaining('compared in this process')]);
  });
});

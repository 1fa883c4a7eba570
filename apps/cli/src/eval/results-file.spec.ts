import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { addResult, itemKey, readResults } from './results-file.js';

const message = { id: 'a', text: 'hi', language: 'en', isScam: true, category: 'kyc' };
const judgedSchema = z.object({ key: z.string(), action: z.string() });

describe('results', () => {
  it('are gone on from, also when the last line was cut', async () => {
    const path = join(temporaryFolder('results'), 'deeper', 'r.jsonl');
    expect((await readResults(path, judgedSchema)).size).toBe(0);
    const judged = { key: 'k', action: 'engage' };
    await addResult(path, judged);
    await appendFile(path, '{"key":"cut');
    await addResult(path, { ...judged, key: 'k2' });
    expect([...(await readResults(path, judgedSchema)).keys()]).toEqual(['k', 'k2']);
    expect((await readResults(path, judgedSchema)).get('k')).toEqual(judged);
  });

  it('are those of another question when message, label or settings are others', () => {
    const keys = [
      itemKey(message, { strategy: 'grounded' }),
      itemKey({ ...message, isScam: false }, { strategy: 'grounded' }),
      itemKey(message, { strategy: 'heuristic' }),
    ];
    expect(new Set(keys).size).toBe(3);
    expect(itemKey({ ...message }, { strategy: 'grounded' })).toBe(keys[0]);
  });
});

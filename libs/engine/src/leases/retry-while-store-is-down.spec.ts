import { CasefileError, silentLogger } from '@casefile/contracts';
import { retryWhileStoreIsDown } from './retry-while-store-is-down.js';

const away = () => new CasefileError('store_unreachable', 'no answer', { retryable: true });

describe('R8 R9 writing while the store is away', () => {
  it('tries until it answers', async () => {
    let tries = 0;
    const write = async () => {
      tries += 1;
      if (tries < 3) throw away();
      return 'written';
    };
    expect(await retryWhileStoreIsDown(new AbortController().signal, silentLogger, write)).toBe('written');
    expect(tries).toBe(3);
  });

  it('does not try again what the store refused', async () => {
    let tries = 0;
    const write = async () => {
      tries += 1;
      throw new CasefileError('store_error', 'no');
    };
    await expect(
      retryWhileStoreIsDown(new AbortController().signal, silentLogger, write),
    ).rejects.toMatchObject({
      reasonCode: 'store_error',
    });
    expect(tries).toBe(1);
  });

  it('ends when it is stopped', async () => {
    const abort = new AbortController();
    const write = async () => {
      queueMicrotask(() => abort.abort());
      throw away();
    };
    await expect(retryWhileStoreIsDown(abort.signal, silentLogger, write)).rejects.toMatchObject({
      reasonCode: 'store_unreachable',
    });
  });
});

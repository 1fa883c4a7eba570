import { CasefileError } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { StoreWatch } from './store-watch.js';
import { storeOutCondition } from './stores-out.js';

describe('T-20 the condition of a database that', () => {
  it.each([
    ['has a full disk', '53100', /^Free space on the disk/],
    ['takes no writes', '25006', /^Point DATABASE_URL at the primary/],
    ['does not answer', '57P01', /^Start the database/],
  ])('%s names the cause, what still works and what to do', async (what, sqlState, act) => {
    const text = `The database ${what}: why`;
    const watch = new StoreWatch(async () => {
      throw new CasefileError('store_unreachable', text, { details: { sqlState } });
    }, manualClock());
    const condition = storeOutCondition((await watch.check())!);
    expect(condition).toMatchObject({ id: 'store_out', text });
    expect(condition.act).toMatch(act);
    expect(condition.effect).toMatch(/nothing that was accepted is lost/);
    expect(/can be read/.test(condition.effect)).toBe(sqlState !== '57P01');
  });
});

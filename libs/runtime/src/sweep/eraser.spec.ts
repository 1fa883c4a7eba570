import { silentLogger, type RetentionPage } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { Eraser } from './eraser.js';

const DAYS = { default: { prompts: 30 } };

function eraserWith(retention: Record<string, { prompts?: number }>, pages: (string | null)[] = []) {
  const clock = manualClock();
  const asked: RetentionPage[] = [];
  let passes = 0;
  const erasures = {
    eraseNext: async () => {
      passes += 1;
      return 0;
    },
    requestDue: async (page: RetentionPage) => {
      asked.push(page);
      return pages.shift() ?? null;
    },
  };
  const queue = { remove: async () => undefined };
  const eraser = new Eraser({ erasures, queue, retention, clock, log: silentLogger });
  return { eraser, clock, asked, passes: () => passes };
}

describe('Eraser', () => {
  it('erases requested cases in each pass, and compares no ages without a setting', async () => {
    const { eraser, asked, passes } = eraserWith({});
    await eraser.tick();
    await eraser.tick();
    expect(passes()).toBe(2);
    expect(asked).toEqual([]);
  });

  it('goes through the record page by page, and again after an hour', async () => {
    const { eraser, clock, asked } = eraserWith(DAYS, ['second page', null]);
    for (let i = 0; i < 4; i += 1) await eraser.tick();
    expect(asked.map(({ after }) => after)).toEqual([null, 'second page']);
    clock.advance(3_599_000);
    await eraser.tick();
    expect(asked).toHaveLength(2);
    clock.advance(1_000);
    await eraser.tick();
    expect(asked[2]).toMatchObject({ after: null, days: DAYS, now: clock.now() });
  });
});

import { readLessons } from '@casefile/pipeline/testing/train-message-model';
import { crossValidate } from '../testing/cross-validate-messages.js';

const lessons = readLessons(new URL('../../../../../samples/', import.meta.url));

describe('S1-16 T-22 the message model', () => {
  it('dismisses few scams and keeps few harmless messages of folds that it has not learned from', async () => {
    const judged = await crossValidate({ ...lessons, received: [] }, 3);
    const share = (isScam: boolean, isDismissed: boolean) => {
      const own = judged.filter((one) => one.isScam === isScam);
      return own.filter(({ against }) => (against.length === 0) === isDismissed).length / own.length;
    };
    expect(judged.length).toBeGreaterThan(900);
    expect(share(true, true)).toBeLessThan(0.02);
    expect(share(false, false)).toBeLessThan(0.12);
  });
});

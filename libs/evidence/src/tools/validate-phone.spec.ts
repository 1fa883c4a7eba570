import { silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { validatePhone } from './validate-phone.js';

const context = { signal: new AbortController().signal, clock: manualClock(), log: silentLogger };

async function judged(entityValue: string) {
  const { result } = await validatePhone({}).run({ entityType: 'phone', entityValue }, context);
  return result as {
    suspicious: boolean;
    suspiciousReason: string | null;
    numberType: string;
    country: string | null;
  };
}

describe('S1-14 validate-phone', () => {
  it.each([
    ['+10000000000', 'all zeros'],
    ['+910000000000', 'all zeros'],
    ['0000000000', 'all zeros'],
    ['+18000000000', 'all zeros'],
    ['+12220000000', 'all zeros'],
    ['+11111111111', 'one repeated digit'],
    ['+919999999999', 'one repeated digit'],
    ['+15551234567', 'sequential digits'],
    ['1234567890', 'sequential digits'],
    ['+449876543210', 'sequential digits'],
    ['+1202555', 'impossible length'],
    ['+120255501431234', 'impossible length'],
    ['+999135792468', 'unknown country code'],
    ['12', 'unknown country code'],
    ['call me', 'unknown country code'],
    ['+10125550143', 'not in a number range that is in use'],
    ['+19002345678', 'sequential digits'],
    ['+19005550199', 'premium-rate'],
    ['+449098790879', 'premium-rate'],
    ['+447012345678', 'sequential digits'],
    ['+447012365498', 'premium rates'],
  ])('%s is suspicious: %s', async (value, reason) => {
    const result = await judged(value);
    expect(result.suspicious).toBe(true);
    expect(result.suspiciousReason).toContain(reason);
  });

  it.each([
    ['+12025550143', 'fixed_line_or_mobile', 'US'],
    ['+18004444444', 'toll_free', 'US'],
    ['+919812345098', 'mobile', 'IN'],
    ['+442079460958', 'fixed_line', 'GB'],
    ['+80012345698', 'toll_free', null],
  ])('%s is a %s number of %s', async (value, numberType, country) => {
    await expect(judged(value)).resolves.toEqual({
      suspicious: false,
      suspiciousReason: null,
      numberType,
      country,
    });
  });

  it('has an answer for every string', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60 }), async (value) => {
        fc.pre(value.trim() !== '');
        const result = await judged(value);
        expect(result.suspicious).toBe(result.suspiciousReason !== null);
      }),
    );
  });
});

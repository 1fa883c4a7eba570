import { options } from './options.js';
import { asksToVerify } from './trigger.js';

const asks = (text: string, triggers?: string[]) =>
  asksToVerify({ text }, { ...options.defaults, ...(triggers === undefined ? {} : { triggers }) });

describe('a text that asks whether something is so', () => {
  it.each([
    ['Verify whether the tap water in Haiwan is cut in June', true],
    ['查證：海灣市6月起停水', true],
    ['海灣市6月起每週停水三天，是真的嗎？', true],
    ['Please verify your account at once', false],
    ['Verify whether your account is safe: https://bank-check.example', false],
    ['The fact-check is done', false],
    ['', false],
  ])('S5-50 %s: %s', (text, expected) => {
    expect(asks(text)).toBe(expected);
  });

  it('S5-50 goes by the list of the configuration, and by no text that comes with a payload', () => {
    expect([asks('請教一下這件事', ['請教']), asks('查證：x', [])]).toEqual([true, false]);
    expect(asksToVerify({ text: '查證：x', payload: {} }, options.defaults)).toBe(false);
  });
});

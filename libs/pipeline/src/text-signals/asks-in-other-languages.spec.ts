import { askKinds } from './asks-in-other-languages.js';

describe('T-24 single words of languages without a lexicon', () => {
  it.each([
    ['Escríbeme cuando puedas', []],
    ['Modal kecil, cuan besar', ['gain']],
    ['Der Code, den ich brauche', []],
    ['您的账户需要支付费用', ['money']],
    ['Pagar a taxas: 20', ['money']],
  ])('of %j: %j', (text, kinds) => expect(askKinds(text)).toEqual(kinds));
});

import { withoutText } from './erasure.js';

describe('withoutText', () => {
  it('S2-27 erases values of from and to, and addresses under every key that keeps codes', () => {
    const kept = {
      code: 'E-12',
      language: 'en',
      category: 'billing',
      promptId: 'reason@1.2',
      by: 'ann@example.com',
    };
    const address = 'bob@mail.example.com';
    const erased = { from: 'bob', to: 'carol', code: address, language: address, category: address };
    expect(withoutText({ ...kept, other: erased })).toEqual({
      ...kept,
      other: { from: '', to: '', code: '', language: '', category: '' },
    });
  });
});

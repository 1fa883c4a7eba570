import { KeySequence } from './use-keys.js';

const BINDINGS = ['j', '?', 'g c', 'g p'];

describe('S2-32 keys', () => {
  it('go alone or two in a row', () => {
    const keys = new KeySequence();
    expect(keys.press('j', 0, BINDINGS)).toBe('j');
    expect(keys.press('g', 10, BINDINGS)).toBeNull();
    expect(keys.press('c', 20, BINDINGS)).toBe('g c');
    expect(keys.press('c', 30, BINDINGS)).toBeNull();
  });

  it('are no sequence when the second comes late', () => {
    const keys = new KeySequence();
    keys.press('g', 0, BINDINGS);
    expect(keys.press('c', 1_201, BINDINGS)).toBeNull();
  });

  it('count for themselves after a first key that they do not go with', () => {
    const keys = new KeySequence();
    keys.press('g', 0, BINDINGS);
    expect(keys.press('j', 10, BINDINGS)).toBe('j');
  });
});

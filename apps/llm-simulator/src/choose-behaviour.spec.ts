import { chooseBehaviour, behaviourName } from './answer-call.js';
import { FAULT_NAMES, FAULTS, readScript } from './script.js';

const percent = { rateLimited: 30, serverError: 10, hang: 5, cut: 5, malformed: 5, empty: 2 };
const keys = Array.from({ length: 5_000 }, (_none, n) => `run-${n}//reason/1/0/1`);

describe('chooseBehaviour', () => {
  it('R12 mixes faults in by their shares', () => {
    const script = readScript({ faults: { seed: 7, percent } });
    const kinds = keys
      .map((key) => chooseBehaviour(script, key, 0))
      .map((b) => (b.kind === 'status' ? String(b.status) : b.kind));
    const share = (kind: string) => (100 * kinds.filter((k) => k === kind).length) / kinds.length;
    expect(share('429')).toBeCloseTo(30, -1);
    expect(Math.abs(share('429') - 30)).toBeLessThan(2);
    expect(Math.abs(share('500') - 10)).toBeLessThan(1.5);
    expect(Math.abs(share('empty') - 2)).toBeLessThan(1);
    expect(Math.abs(share('rules') - 43)).toBeLessThan(2.5);
  });

  it('R12 draws the same for the same seed, key and count, in any order of arrival', () => {
    const draw = (seed: number, order: string[]) => {
      const script = readScript({ faults: { seed, percent } });
      const drawn = new Map(order.map((key) => [key, chooseBehaviour(script, key, 0).kind]));
      return keys.map((key) => drawn.get(key)).join();
    };
    expect(draw(7, keys)).toBe(draw(7, [...keys].reverse()));
    expect(draw(7, keys)).not.toBe(draw(8, keys));
  });

  it('draws again when the same call comes again', () => {
    const script = readScript({ faults: { seed: 7, percent: { cut: 50 } } });
    const kinds = new Set(keys.slice(0, 20).map((_key, n) => chooseBehaviour(script, 'one', n).kind));
    expect(kinds).toEqual(new Set(['cut', 'rules']));
  });

  it('R12 storms by a seed alone, in the shares of the promise', () => {
    const { faults } = readScript({ faults: { seed: 7 } });
    const { rateLimited, serverError = 0, overloaded = 0, ...rest } = faults?.percent ?? {};
    expect({ rateLimited, server: serverError + overloaded, ...rest }).toEqual({
      rateLimited: 30,
      server: 10,
      hang: 5,
      cut: 5,
      malformed: 5,
      empty: 2,
    });
  });

  it('names each fault as the script does', () => {
    const names = FAULT_NAMES.map((name) => behaviourName(FAULTS[name]));
    expect(names).toEqual(FAULT_NAMES);
    expect(behaviourName({ kind: 'status', status: 404, delayMs: 0 })).toBe('status404');
    expect(behaviourName({ kind: 'raw', text: '', status: 200, contentType: '', delayMs: 0 })).toBe('raw');
  });

  it('gives its replies first, without faults', () => {
    const script = readScript({ replies: [{ kind: 'empty' }], faults: { seed: 1, percent: { cut: 100 } } });
    expect([0, 1].map((n) => chooseBehaviour(script, 'k', n).kind)).toEqual(['empty', 'cut']);
  });

  it('refuses shares of more than all', () => {
    expect(() => readScript({ faults: { seed: 1, percent: { cut: 60, hang: 60 } } })).toThrow(
      /faults\.percent/,
    );
  });
});

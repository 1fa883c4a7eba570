import { readViews, withView, writeViews, type View } from './stored-views.js';

const view = (name: string): View => ({ name, search: `?q=${name}` });

describe('S2-31 saved views of the list of cases', () => {
  let stored: string | null = null;
  beforeAll(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      value: { getItem: () => stored, setItem: (_: string, value: string) => (stored = value) },
    });
  });
  afterAll(() => Reflect.deleteProperty(globalThis, 'localStorage'));

  it('are read as they were written, and what is no view is ignored', () => {
    stored = null;
    expect(readViews()).toEqual([]);
    writeViews([view('a'), view('b')]);
    expect(readViews()).toEqual([view('a'), view('b')]);
    for (const odd of ['{', '{}', 'null', '[1,null,{"name":"a"},{"name":"a","search":"//other.example"}]']) {
      stored = odd;
      expect(readViews()).toEqual([]);
    }
  });

  it('have one of each name, and at most twenty', () => {
    expect(withView([view('a'), view('b')], { name: 'a', search: '?lane=live' })).toEqual([
      view('b'),
      { name: 'a', search: '?lane=live' },
    ]);
    const many = Array.from({ length: 20 }, (_, i) => view(String(i)));
    expect(withView(many, view('x')).map(({ name }) => name)).toEqual([
      ...many.slice(1).map(({ name }) => name),
      'x',
    ]);
  });
});

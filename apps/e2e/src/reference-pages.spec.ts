import { readFileSync } from 'node:fs';
import { unknownEvents } from './reference/event-page.js';
import { referencePages } from './reference-pages.js';

describe.each(referencePages())('$file', ({ file, text }) => {
  it('is generated from the code as it is now; otherwise run `npm run reference`', () => {
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toBe(`${text}\n`);
  });
});

describe('docs/reference/events.md', () => {
  it('has a meaning for every event in the sources, and for no other', () => {
    expect(unknownEvents()).toEqual({ undocumented: [], unused: [] });
  });
});

import { firstCharacters } from './first-characters.js';

it('never cuts a character in half', () => {
  expect(firstCharacters('😀😀😀', 2)).toBe('😀😀');
});

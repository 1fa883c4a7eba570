import fc from 'fast-check';
import { jsonElements } from './json-elements.js';

const elements = (text: string) => [...jsonElements(Buffer.from(text))].map(({ value }) => value);

describe('the elements of a JSON list', () => {
  it('are those of the whole list, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('', ' ', '\t'), (list, indent) => {
        const text = `\n ${JSON.stringify(list, null, indent)} \r\n`;
        expect(elements(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['[1, 2', 'the list has no end'],
    ['[[[', 'the list has no end'],
    ['[1,]', '[1]: '],
    ['[1}', '[0]: expected , or ] after it'],
    ['[1] 2', 'there is more text after the list'],
    ['[{"a": 1}, {b}]', '[1]: '],
    ['[[1}]', '[0]: '],
    ['["a]', 'the list has no end'],
  ])('of %s are refused', (text, why) => {
    expect(() => elements(text)).toThrow(
      expect.objectContaining({
        reasonCode: 'unreadable_file',
        message: expect.stringContaining(`the file is not JSON: ${why}`),
      }),
    );
  });
});

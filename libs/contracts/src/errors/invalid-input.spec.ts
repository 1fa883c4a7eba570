import { alertInputSchema, InvalidInput, parseInput } from '../index.js';

describe('parseInput', () => {
  it('names every wrong field with its path', () => {
    const wrong = { text: 5, image: { mediaType: 'image/gif', base64: '' }, evidence: [{ toolName: '' }] };
    expect.assertions(2);
    try {
      parseInput(alertInputSchema, wrong, 'alert');
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidInput);
      expect((error as InvalidInput).problems.map((p) => p.path)).toEqual(
        expect.arrayContaining(['text', 'image.mediaType', 'image.base64', 'evidence[0].toolName']),
      );
    }
  });

  it('keeps keys it does not know', () => {
    expect(parseInput(alertInputSchema, { text: 'hello', tenant: 'x' })).toEqual({
      text: 'hello',
      tenant: 'x',
    });
  });
});

import { z } from 'zod';
import { FieldError, formExample, formPayload } from './form-payload.js';
import { formFields, payloadJsonSchema } from './payload-schema.js';

const fields = formFields(
  payloadJsonSchema(
    z.object({
      vendor: z.string().meta({ examples: ['Desks'] }),
      count: z.int().optional(),
      isKnown: z.boolean(),
      isUrgent: z.boolean().optional(),
      tags: z.array(z.string()).optional(),
      address: z.object({ city: z.string() }).optional(),
      lines: z.array(z.object({ price: z.number() })).optional(),
    }),
  ),
);

describe('the payload of a form', () => {
  it('has the values of the fields that were filled in, in the types of the schema', () => {
    const texts = {
      vendor: ' Desks ',
      count: '3',
      isUrgent: 'true',
      tags: 'a\n\n b ',
      'address.city': 'Kiel',
      lines: '[{"price": 1}]',
    };
    expect(formPayload(fields, texts)).toEqual({
      vendor: ' Desks ',
      count: 3,
      isKnown: false,
      isUrgent: true,
      tags: ['a', 'b'],
      address: { city: 'Kiel' },
      lines: [{ price: 1 }],
    });
  });

  it('is none if nothing was filled in, and leaves out what was not', () => {
    expect(formPayload(fields, { vendor: ' ' })).toBeNull();
    expect(formPayload(fields, { vendor: 'A' })).toEqual({ vendor: 'A', isKnown: false });
  });

  it.each([
    ['count', '1.5', 'expected a whole number'],
    ['count', 'many', 'expected a whole number'],
    ['lines', '[', 'expected JSON'],
  ])('names the field %s for the text %s', (key, text, message) => {
    expect(() => formPayload(fields, { vendor: 'A', [key]: text })).toThrow(
      new FieldError(`payload.${key}`, message),
    );
  });

  it('is an example of the fields that have one', () => {
    expect(formExample(fields)).toEqual({ vendor: 'Desks' });
  });
});

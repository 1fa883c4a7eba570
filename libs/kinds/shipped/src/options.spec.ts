import { z, type JsonObject } from '@casefile/contracts';
import { playbooks } from './loaded.js';
import { defineOptions } from '@casefile/pipeline/options';

const strict = defineOptions(
  'toy',
  z
    .strictObject({
      from: z.number().min(0).max(1).default(0.5),
      to: z.number().max(1).default(1),
      note: z.string().optional(),
    })
    .refine(({ from, to }) => from <= to, { path: ['from'], message: 'expected no more than to' }),
  { production: { from: 0.75 } },
);

describe('the options of a kind of case', () => {
  it('S2-07 have their defaults and those for production from the schema; what has none is absent', () => {
    expect(strict.defaults).toEqual({ from: 0.5, to: 1 });
    expect(strict.production).toEqual({ from: 0.75 });
  });

  it('S2-07 of a configuration are refused by name, with what was expected, all at once', () => {
    const act = (options: JsonObject) => () => strict.check(options);
    expect(act({ from: 0.2, to: 0.3 })).not.toThrow();
    expect(act({ from: 'much', unheardOf: 1 })).toThrow(/options of toy.*from.*number.*unheardOf/s);
    expect(act({ from: 0.9, to: 0.8 })).toThrow(/from: expected no more than to/);
  });

  it('of a run are read with defaults for what it lacks, and without what another release knew', () => {
    expect(strict.read({ to: 0.9, gone: true })).toEqual({ from: 0.5, to: 0.9 });
    expect(() => strict.read({ from: 'much' })).toThrow(/options of toy.*from/s);
  });

  it('of a run are shown as far as it was frozen with them, and not at all where they cannot be read', () => {
    expect(strict.shown({ to: 0.9, gone: true })).toEqual({ to: 0.9 });
    expect(strict.shown({ to: 'x' })).toEqual({});
  });

  it.each(playbooks)('of $name are valid by default, and in production', ({ options }) => {
    expect(() => options.check(options.defaults)).not.toThrow();
    expect(() => options.check({ ...options.defaults, ...options.production })).not.toThrow();
    expect(options.read({})).toMatchObject(options.defaults);
  });
});

import { parseInput, z, type JsonObject } from '@casefile/contracts';

/** The options of a kind of case: thresholds, deadlines and other figures, with their names, bounds and defaults in one place. */
export interface Options<T = unknown> {
  /** As a run is frozen with where configuration says nothing. */
  defaults: JsonObject;
  /** Laid over them where NODE_ENV is `production`, below configuration. */
  production: JsonObject;
  /**
   * Returns the options in a settings file of the kind. null: the kind reads no such file.
   * @throws InvalidInput that names each wrong key as it is written in the file.
   */
  readFile: ((file: unknown) => JsonObject) | null;
  /** Holds what a new run would be frozen with to the schema. @throws InvalidInput that names every wrong one and what was expected. */
  check(options: JsonObject): void;
  /**
   * The options of a run's settings: what they lack has its default, what another release knew is left out.
   * @throws InvalidInput that names every wrong one and what was expected.
   */
  read(frozen: JsonObject): T;
  /** Those alone that a run was frozen with, for showing them; none where they cannot be read. Never throws. */
  shown(frozen: JsonObject): Partial<T>;
}

/**
 * Makes the options of a kind of case of their schema. Its defaults are those of every run; an option without one is absent until
 * configuration sets it. A strict schema refuses names that it does not have in a configuration, not in a run.
 * @param name Of the kind, for messages.
 */
export function defineOptions<S extends z.ZodObject>(
  name: string,
  schema: S,
  { production = {} }: { production?: Partial<z.input<S>> } = {},
): Options<z.output<S>> {
  const what = `options of ${name}`;
  // Without the rules that hold options to one another: each alone is as it was when the run was frozen.
  const each = z.object(schema.shape) as unknown as S;
  return {
    defaults: schema.parse({}) as JsonObject,
    production: production as JsonObject,
    readFile: null,
    check: (options) => void parseInput(schema, options, what),
    read: (frozen) => parseInput(each, frozen, what) as z.output<S>,
    shown: (frozen) => {
      const { data = {} } = each.safeParse(frozen);
      const own = Object.entries(data).filter(([option]) => Object.hasOwn(frozen, option));
      return Object.fromEntries(own) as Partial<z.output<S>>;
    },
  };
}

import { parseInput, z, type JsonObject } from '@casefile/contracts';

/**
 * Options of a playbook: thresholds, deadlines and other values, with their names, bounds and defaults in one
 * place.
 */
export interface Options<T = unknown> {
  /** Values frozen with a run without configuration. */
  defaults: JsonObject;
  /** Values that override the defaults if NODE_ENV is `production`; configuration overrides both. */
  production: JsonObject;
  /**
   * Returns the options in a settings file of the playbook. null: the keys of such a file are the names of the options.
   * @throws InvalidInput that names each wrong key as it is written in the file.
   */
  readFile: ((file: unknown) => JsonObject) | null;
  /**
   * Validates the options of a new run. @throws InvalidInput that names every wrong one and the expected
   * value.
   */
  check(options: JsonObject): void;
  /**
   * Reads the options of a run's settings. Missing options have their defaults; options of other releases are
   * left out.
   * @throws InvalidInput that names every wrong one and the expected value.
   */
  read(frozen: JsonObject): T;
  /**
   * Returns only the options frozen with a run, to display them; none if they cannot be read. Never throws.
   */
  shown(frozen: JsonObject): Partial<T>;
}

/**
 * Creates the options of a playbook from their schema. Its defaults apply to every run; an option without
 * default is absent until configuration sets it. A strict schema refuses unknown names in a configuration,
 * not in a run.
 * @param name Name of the playbook, for messages.
 */
export function defineOptions<S extends z.ZodObject>(
  name: string,
  schema: S,
  { production = {} }: { production?: Partial<z.input<S>> } = {},
): Options<z.output<S>> {
  const what = `options of ${name}`;
  // Rules that compare several options are left out, because a release may have changed them since the run
  // was frozen.
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

/** Option with the longest wait for the tools of one round of look-ups, in milliseconds. */
export const toolWaitOption = (defaultMs: number) => z.number().int().min(1).default(defaultMs);

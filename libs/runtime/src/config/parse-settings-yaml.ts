import { CasefileError, nestsDeeper } from '@casefile/contracts';
import { parse } from 'yaml';

const MOST_DEPTH = 200;
const MOST_ALIASES = 100;

/** Parses a YAML text within bounds; an empty one is an object without keys. @throws what is wrong with it. */
export function parseSettingsYaml(text: string): unknown {
  if (nestsDeeper(text, MOST_DEPTH))
    throw new CasefileError('bad_configuration', `it nests deeper than ${MOST_DEPTH} lists and maps`);
  // Without the parser's words for places: it counts the lines anew for each error, which is quadratic.
  return parse(text, { maxAliasCount: MOST_ALIASES, logLevel: 'error', prettyErrors: false }) ?? {};
}

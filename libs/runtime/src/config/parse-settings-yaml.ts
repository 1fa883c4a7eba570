import { CasefileError, nestsDeeper } from '@casefile/contracts';
import { parse } from 'yaml';

const MOST_DEPTH = 200;
const MOST_ALIASES = 100;

/** Parses a YAML text within limits. An empty text is an object without keys. @throws the parse error. */
export function parseSettingsYaml(text: string): unknown {
  if (nestsDeeper(text, MOST_DEPTH))
    throw new CasefileError('bad_configuration', `it nests deeper than ${MOST_DEPTH} lists and maps`);
  // The parser's error positions are switched off: it counts lines again for each error, which takes
  // quadratic time.
  return (
    parse(text, { maxAliasCount: MOST_ALIASES, logLevel: 'error', prettyErrors: false, merge: true }) ?? {}
  );
}

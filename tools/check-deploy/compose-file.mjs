import { readFileSync } from 'node:fs';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';

/** Style rules that this repository does not follow: it groups keys by topic. */
const NOT_OURS = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'];

/**
 * Returns the problems of a Compose file by the Compose specification's schema and the linter's rules, one
 * line each.
 */
export function composeProblems(path) {
  const rules = Object.fromEntries(NOT_OURS.map((rule) => [rule, 0]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  return linter
    .lintFiles([path], false)
    .flatMap((file) =>
      file.messages.map((message) => `${message.line}: ${message.rule}: ${message.message}`),
    );
}

/** Variables without which the Compose file does not start. */
export const REQUIRED = { POSTGRES_PASSWORD: 'own1', REDIS_PASSWORD: 'own2' };

/**
 * Returns a Compose file as Compose reads it: with anchors merged and the variables of `env` inserted.
 * @throws Error for a required variable that is not set.
 */
export function readCompose(path, env = REQUIRED) {
  return interpolated(parse(readFileSync(path, 'utf8'), { merge: true }), env);
}

/** Returns the names of the external variables of a Compose file. */
export function variablesOf(path) {
  return [...readFileSync(path, 'utf8').matchAll(/\$\{([A-Z0-9_]+)/g)].map((match) => match[1]);
}

function interpolated(value, env) {
  if (typeof value === 'string') return filledIn(value, env);
  if (Array.isArray(value)) return value.map((item) => interpolated(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolated(item, env)]));
}

// Inserts variables in the forms ${NAME:-default} and ${NAME:?message}. Rejects all other forms.
function filledIn(text, env) {
  const filled = text
    .replace(/\$\{([A-Z0-9_]+):-([^}]*)\}/g, (_whole, name, other) => env[name] || other)
    .replace(/\$\{([A-Z0-9_]+):\?([^}]*)\}/g, (_whole, name, message) => {
      if (!env[name]) throw new Error(`${name}: ${message}`);
      return env[name];
    });
  if (filled.includes('$')) throw new Error(`not a form of variable that is used here: ${text}`);
  return filled;
}

import { readFileSync } from 'node:fs';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';

/** Rules of taste that are not this house's: it orders by what belongs together. */
const NOT_OURS = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'];

/** What is wrong with a Compose file by the Compose specification's schema and the linter's rules, a line each. */
export function composeProblems(path) {
  const rules = Object.fromEntries(NOT_OURS.map((rule) => [rule, 0]));
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  return linter
    .lintFiles([path], false)
    .flatMap((file) => file.messages.map((found) => `${found.line}: ${found.rule}: ${found.message}`));
}

/** A Compose file as Compose would have it: anchors merged, variables of `env` put in. */
export function readCompose(path, env = {}) {
  return interpolated(parse(readFileSync(path, 'utf8'), { merge: true }), env);
}

/** Names of the variables that a Compose file takes from outside. */
export function variablesOf(path) {
  return [...readFileSync(path, 'utf8').matchAll(/\$\{([A-Z0-9_]+)/g)].map((match) => match[1]);
}

function interpolated(value, env) {
  if (typeof value === 'string') return filledIn(value, env);
  if (Array.isArray(value)) return value.map((item) => interpolated(item, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolated(item, env)]));
}

// Of the forms Compose knows, this file uses one: ${NAME:-default}. Any other is refused, so that it is not read wrong.
function filledIn(text, env) {
  const filled = text.replace(/\$\{([A-Z0-9_]+):-([^}]*)\}/g, (_whole, name, other) => env[name] || other);
  if (filled.includes('$')) throw new Error(`not a form of variable that is used here: ${text}`);
  return filled;
}

/** A condition on one field of an alert. A field that the alert lacks is empty. */
export interface SilenceMatcher {
  /** Name of the field. */
  name: string;
  value: string;
  /** Whether `value` is a pattern in RE2 syntax, which must match the whole field. */
  isRegex: boolean;
  /** false: the field must not match. */
  isEqual: boolean;
}

/** Returns whether a matcher selects alerts by one exact value. */
export function isExact({ value, isRegex, isEqual }: SilenceMatcher): boolean {
  return !isRegex && isEqual && value !== '';
}

const OPERATORS = {
  '=': [false, true],
  '!=': [false, false],
  '=~': [true, true],
  '!~': [true, false],
} as const;
const MATCHER = /^([^=!~]{1,100})(=~|!~|!=|=)(.{0,1000})$/s;

/** Returns a matcher as people write it: `service=checkout`, `instance=~db-.*`. */
export function matcherText({ name, value, isRegex, isEqual }: SilenceMatcher): string {
  return `${name}${isRegex ? (isEqual ? '=~' : '!~') : isEqual ? '=' : '!='}${value}`;
}

/**
 * Reads a matcher that a person wrote: `name=value`, `name!=value`, `name=~pattern` or `name!~pattern`.
 * null: it is none.
 */
export function readMatcher(text: string): SilenceMatcher | null {
  const parts = MATCHER.exec(text);
  if (parts === null) return null;
  const [, name = '', operator = '=', value = ''] = parts;
  const [isRegex, isEqual] = OPERATORS[operator as keyof typeof OPERATORS];
  return { name: name.trim(), value: value.trim(), isRegex, isEqual };
}

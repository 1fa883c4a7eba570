import type { FieldProblem, Silence, SilenceMatcher } from '@casefile/contracts';
import { checkPattern, compilePattern } from '@casefile/masking';

type Fields = Readonly<Record<string, string>>;

/** Returns the problems of the patterns of matchers; none: they can be used. */
export function matcherProblems(matchers: readonly SilenceMatcher[]): FieldProblem[] {
  return matchers.flatMap(({ value, isRegex }, index) => {
    const problem = isRegex ? patternProblem(value) : null;
    return problem === null ? [] : [{ path: `matchers[${index}].value`, message: problem }];
  });
}

// A pattern that matches an empty text selects alerts without the field, which is allowed.
function patternProblem(value: string): string | null {
  try {
    compilePattern(value);
    return null;
  } catch {
    const checked = checkPattern(value);
    return 'problem' in checked ? checked.problem : null;
  }
}

/** Returns the first silence whose matchers all match the fields of an alert; null: none. */
export function silenceFor<S extends Silence>(silences: readonly S[], fields: Fields): S | null {
  return silences.find(({ matchers }) => matchers.every((one) => matches(one, fields))) ?? null;
}

// As in Alertmanager: a missing field is empty, and a pattern has to match the whole field.
function matches({ name, value, isRegex, isEqual }: SilenceMatcher, fields: Fields): boolean {
  const field = Object.hasOwn(fields, name) ? (fields[name] ?? '') : '';
  const isMatch = isRegex ? compilePattern(value).matches(field) : field === value;
  return isMatch === isEqual;
}

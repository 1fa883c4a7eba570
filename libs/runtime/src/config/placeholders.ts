import type { FieldProblem } from '@casefile/contracts';

/** The environment, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\{(\w{1,200})\}/g;

/**
 * Returns the text with each `${NAME}` replaced by the variable of that name. An unset variable is added to
 * `problems` under `path`.
 * @param variables null: the text is returned unchanged, for processes that do not use it.
 */
export function filledIn(
  text: string,
  variables: Variables | null,
  path: string,
  problems: FieldProblem[],
): string {
  if (variables === null) return text;
  return text.replace(PLACEHOLDER, (_whole, name: string) => {
    const value = variables[name];
    if (value === undefined)
      problems.push({ path, message: `expected the environment variable ${name}, which is not set` });
    return value ?? '';
  });
}

/**
 * Returns the URL unchanged. One that is not http(s) is added to `problems` under `path`, unless it still has
 * a placeholder.
 */
export function httpUrl(url: string, path: string, problems: FieldProblem[]): string {
  const isFilled = url.replace(PLACEHOLDER, '') === url;
  if (isFilled && (!/^https?:\/\//.test(url) || !URL.canParse(url)))
    problems.push({ path, message: 'expected http://... or https://...' });
  return url;
}

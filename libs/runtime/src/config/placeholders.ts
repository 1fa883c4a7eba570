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

/** Address of a service that is read: `${NAME}` may stand in the URL and in values of headers. */
export interface ReadAddress {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Whether the host may be on loopback or a private network; such a host may also use http. */
  allowPrivate: boolean;
}

/**
 * Returns the URL and the headers of an address with each `${NAME}` replaced. Problems are added to `problems` below the
 * path `at`.
 * @param variables null: placeholders stay, for processes that do not use it.
 */
export function filledAddress(
  { url, headers, allowPrivate }: ReadAddress,
  variables: Variables | null,
  at: string,
  problems: FieldProblem[],
): { url: string; headers: Record<string, string> } {
  const filledUrl = filledIn(url, variables, `${at}.url`, problems);
  const problem = addressProblem(filledUrl, allowPrivate);
  if (problem !== null) problems.push({ path: `${at}.url`, message: problem });
  const filledHeaders = Object.entries(headers).map(([name, value]) => [
    name,
    filledIn(value, variables, `${at}.headers.${name}`, problems),
  ]);
  return { url: filledUrl, headers: Object.fromEntries(filledHeaders) as Record<string, string> };
}

function addressProblem(url: string, allowPrivate: boolean): string | null {
  if (url.replace(PLACEHOLDER, '') !== url) return null;
  const expected = allowPrivate ? 'expected https://... or http://...' : 'expected https://...';
  if (!URL.canParse(url)) return expected;
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) return expected;
  return username + password === ''
    ? null
    : 'expected no name or password in the URL: put ${NAME} into a header';
}

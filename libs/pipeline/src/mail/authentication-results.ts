import type { AuthenticationMethod, MailAuthentication } from '@casefile/contracts';

/** UTF-16 units of one header that are read, and maximum number of its results. */
const READ = 8_000;
const MOST_RESULTS = 50;
/** Maximum depth of comments within comments. A deeper header is not read. */
const MOST_DEPTH = 20;

/** Properties that name the domain of a result, the most telling first for each method. */
const DOMAIN_OF: Readonly<Record<string, readonly string[]>> = {
  dmarc: ['header.from'],
  dkim: ['header.d', 'header.i'],
  spf: ['smtp.mailfrom', 'smtp.helo'],
};

/** One header Authentication-Results. */
export interface AuthenticationResults {
  /** Name of the server that wrote the header, in lower case. */
  server: string;
  methods: AuthenticationMethod[];
}

/**
 * Returns the authentication of a mail from its headers Authentication-Results. Anybody can write such a header, so
 * only the topmost one of a trusted server counts: a server removes headers that carry its own name and puts its own
 * one above all older ones (RFC 8601, sections 4.1 and 5).
 * @param values Values of the headers, the topmost first.
 * @param trusted Names of servers whose headers are believed.
 */
export function mailAuthentication(
  values: readonly string[],
  trusted: readonly string[],
): MailAuthentication {
  if (trusted.length === 0)
    return { checked: false, why: 'the setting mail.trustedAuthservIds names no mail server' };
  if (values.length === 0) return { checked: false, why: 'the mail has no header Authentication-Results' };
  const names = new Set(trusted.map((name) => name.toLowerCase()));
  for (const value of values) {
    const server = serverOf(value);
    if (server === null || !names.has(server)) continue;
    // A header of the trusted server that cannot be read hides the older ones below it.
    const read = authenticationResults(value);
    if (read === null)
      return { checked: false, why: `the header Authentication-Results of ${server} is malformed` };
    return { checked: true, ...read };
  }
  return {
    checked: false,
    why: 'no header Authentication-Results is of a server in mail.trustedAuthservIds',
  };
}

function serverOf(value: string): string | null {
  const [first] = tokensOf(value, 1) ?? [];
  return first === undefined || first.mark !== null ? null : first.text.toLowerCase();
}

/**
 * Parses the value of a header Authentication-Results (RFC 8601, section 2.2) with comments, versions, quoted strings and
 * folded lines. null: it is malformed or too long. Takes time linear in its length.
 */
export function authenticationResults(value: string): AuthenticationResults | null {
  const tokens = tokensOf(value);
  if (tokens === null) return null;
  const parts = partsOf(tokens);
  const [server, version, ...more] = parts[0] ?? [];
  if (server === undefined || server.mark !== null || more.length > 0) return null;
  // RFC 8601 defines version 1 only. A header of another version must be ignored.
  if (version !== undefined && version.text !== '1') return null;
  const results = parts.slice(1).filter((part) => part.length > 0);
  if (results.length > MOST_RESULTS) return null;
  const methods: AuthenticationMethod[] = [];
  for (const part of results) {
    if (part.length === 1 && part[0]?.text.toLowerCase() === 'none') continue;
    const method = methodOf(part);
    if (method === null) return null;
    methods.push(method);
  }
  return { server: server.text.toLowerCase(), methods };
}

interface Token {
  text: string;
  /** The separator `;`, `=`, `/` or `.`; null: a word or a quoted string. */
  mark: string | null;
}

/**
 * Splits a header into words, quoted strings and separators, without comments and white space. null: a comment or
 * a quoted string does not end, or the header is too long. Dots separate only before `=`, see `methodOf`.
 * @param most Maximum number of tokens that are returned.
 */
function tokensOf(value: string, most = Number.POSITIVE_INFINITY): Token[] | null {
  if (value.length > READ) return null;
  const tokens: Token[] = [];
  let at = 0;
  while (at < value.length && tokens.length < most) {
    const char = value.charAt(at);
    if (/\s/.test(char)) at += 1;
    else if (char === '(') {
      const end = commentEnd(value, at);
      if (end === null) return null;
      at = end;
    } else if (char === '"') {
      const quoted = quotedString(value, at);
      if (quoted === null) return null;
      tokens.push({ text: quoted.text, mark: null });
      at = quoted.end;
    } else if (char === ';' || char === '=' || char === '/') {
      tokens.push({ text: char, mark: char });
      at += 1;
    } else {
      const start = at;
      while (at < value.length && !/[\s()";=/]/.test(value.charAt(at))) at += 1;
      // A stray closing bracket is no token of the grammar.
      if (at === start) return null;
      tokens.push({ text: value.slice(start, at), mark: null });
    }
  }
  return tokens;
}

function commentEnd(value: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '(') {
      depth += 1;
      if (depth > MOST_DEPTH) return null;
    } else if (char === ')') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function quotedString(value: string, start: number): { text: string; end: number } | null {
  let text = '';
  for (let at = start + 1; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === '"') return { text, end: at + 1 };
    if (char === '\\') at += 1;
    text += value.charAt(at);
  }
  return null;
}

function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.mark === ';') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Reads `method[/version] = result [reason = value] [type.property = value ...]`; null: it is malformed. */
function methodOf(tokens: readonly Token[]): AuthenticationMethod | null {
  const [name, ...afterName] = tokens;
  if (name === undefined || name.mark !== null) return null;
  const isVersioned = afterName[0]?.mark === '/';
  // A method of another version has other results.
  if (isVersioned && afterName[1]?.text !== '1')
    return { method: name.text.toLowerCase(), result: 'unknown', domain: '' };
  const [equals, result, ...rest] = isVersioned ? afterName.slice(2) : afterName;
  if (equals?.mark !== '=' || result === undefined || result.mark !== null) return null;
  const properties = propertiesOf(rest);
  const method = name.text.toLowerCase();
  const stated = (DOMAIN_OF[method] ?? []).map((property) => properties.get(property) ?? '');
  const address = stated.find((value) => value !== '') ?? '';
  return { method, result: result.text.toLowerCase(), domain: domainOf(address) };
}

// Values may contain "=" and "/" without quotes, as some servers write them. Only the first value of a property counts.
function propertiesOf(tokens: readonly Token[]): Map<string, string> {
  const properties = new Map<string, string>();
  let name = '';
  tokens.forEach((token, i) => {
    const isName =
      token.mark === null && tokens[i + 1]?.mark === '=' && /^\.?[a-z-]+(?:\.[a-z-]+)?$/i.test(token.text);
    if (isName) name = joinedName(tokens, i).toLowerCase();
    else if (token.mark === null && tokens[i - 1]?.mark === '=' && name !== '' && !properties.has(name))
      properties.set(name, token.text);
  });
  return properties;
}

// White space and comments are allowed around the dot of a property: `header . from`.
function joinedName(tokens: readonly Token[], at: number): string {
  const own = tokens[at]?.text ?? '';
  const [before, dot] = [tokens[at - 2]?.text ?? '', tokens[at - 1]?.text ?? ''];
  if (dot === '.') return `${before}.${own}`;
  if (own.startsWith('.')) return `${tokens[at - 1]?.text ?? ''}${own}`;
  return dot.endsWith('.') && tokens[at - 1]?.mark === null ? `${dot}${own}` : own;
}

function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domain.replace(/\.$/, '');
}

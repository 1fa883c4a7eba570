import { cutSentences } from '@casefile/pipeline/language/cut-sentences';

const MOST_LINES = 60;
const NAMED =
  /^(?:problem|problem name|alert|alert name|alertname|subject|title|name|incident|trigger)\s{0,3}[:=]\s{0,3}(\S.{0,300})$/i;
const SERVICE = /^service\s{0,3}[:=]\s{0,3}(\S.{0,100})$/i;
const HOST = /^(?:host|hostname|server|node)\s{0,3}[:=]\s{0,3}(\S.{0,100})$/i;
/** Matches a line of a mail or pager template without a name, such as "***** Nagios *****". */
const DECORATION = /^(?:nagios|icinga|zabbix|alert|notification|notice)?$/i;

/** Prefix of a log line before its message. */
const LOG_HEAD =
  /^[[(<]?\d{4}[-/.]\d\d[-/.]\d\d[T ,]\d\d:\d\d[\d:.,]{0,12}(?:Z|[+-]\d\d:?\d\d)?[\])>]?\s{0,4}|^[[(<]?(?:error|err|warn|warning|fatal|critical|panic)[\])>]?[:\s]{1,4}/i;
/**
 * Fewest characters of a first sentence that can be a title. Shorter ones name nothing, such as "P1." or
 * "Urgent!"
 */
const SHORTEST_TITLE = 12;

/**
 * Returns a short title of a text: the result of `nameInText` without the prefix of a log line, and for prose
 * the first sentence.
 */
export function titleInText(text: string): string | null {
  const name = nameInText(text)?.replace(LOG_HEAD, '').replace(LOG_HEAD, '');
  if (name === undefined) return null;
  let title = '';
  for (const sentence of cutSentences(name.slice(0, 1_000))) {
    title += sentence;
    // A figure may begin a sentence of an alert: "... since 10:02 UTC. 500s from ...".
    title = title.split(/(?<=\p{L}{3}[.!?])\s{1,5}(?=\d)/u, 1)[0] ?? title;
    if (title.trim().length >= SHORTEST_TITLE) break;
  }
  return title.trim().replace(/[.。!！]$/u, '') || null;
}

/**
 * Returns the name of the problem in a text: from a line for the name, else from service and host, else the
 * first line with words.
 */
export function nameInText(text: string): string | null {
  const lines = text
    .slice(0, 10_000)
    .split('\n', MOST_LINES)
    .map((line) => line.trim());
  const first = (pattern: RegExp) =>
    lines.map((line) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
  const named = first(NAMED);
  if (named !== undefined) return named;
  const [service, host] = [first(SERVICE), first(HOST)];
  if (service !== undefined) return host === undefined ? service : `${service} on ${host}`;
  return (
    lines.find((line) => !DECORATION.test(line.replace(/[^a-z0-9]/gi, '')) || /[^\p{ASCII}]/u.test(line)) ??
    null
  );
}

const MOST_LINES = 60;
const NAMED =
  /^(?:problem|problem name|alert|alert name|alertname|subject|title|name|incident|trigger)\s{0,3}[:=]\s{0,3}(\S.{0,300})$/i;
const SERVICE = /^service\s{0,3}[:=]\s{0,3}(\S.{0,100})$/i;
const HOST = /^(?:host|hostname|server|node)\s{0,3}[:=]\s{0,3}(\S.{0,100})$/i;
/** A line of a mail or pager template that names nothing: "***** Nagios *****". */
const DECORATION = /^(?:nagios|icinga|zabbix|alert|notification|notice)?$/i;

/** Returns the name of what a text reports: from a line for it, else service and host, else its first line with words. */
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

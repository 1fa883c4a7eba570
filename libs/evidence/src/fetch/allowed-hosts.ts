/**
 * Is this URL's host on the list? `host` stands for the usual port of the URL's scheme, `host:port` for exactly
 * that port, `*.domain` for every name below the domain (not the domain itself).
 */
export function isAllowedHost(url: URL, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => {
    const [host = '', port = ''] = splitPort(pattern.toLowerCase());
    if (port !== url.port) return false;
    if (host.startsWith('*.')) return url.hostname.endsWith(host.slice(1)) && url.hostname !== host.slice(2);
    return url.hostname === host;
  });
}

function splitPort(pattern: string): string[] {
  const match = /^(.*?)(?::(\d+))?$/.exec(pattern);
  return match ? [match[1] ?? '', match[2] ?? ''] : [pattern];
}

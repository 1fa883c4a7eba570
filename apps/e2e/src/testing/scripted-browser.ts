/** An answer to one request. Redirects are not followed. */
export interface Answer {
  status: number;
  location: string | null;
  text: string;
  headers: Headers;
}

/**
 * A browser without scripts: it keeps cookies per host and port, follows redirects when told to, and fills in
 * the forms of the test issuer.
 */
export class ScriptedBrowser {
  /** Cookies by origin, then by name. */
  readonly cookies = new Map<string, Map<string, string>>();

  async request(url: string, init: RequestInit = {}): Promise<Answer> {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '' && !headers.has('cookie')) headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    const target = response.headers.get('location');
    const location = target === null ? null : new URL(target, url).href;
    return { status: response.status, location, text: await response.text(), headers: response.headers };
  }

  /** Follows redirects, and the forms of the issuer with this login, until a page is outside the issuer. */
  async signIn(start: string, login: string): Promise<Answer & { url: string }> {
    const { callback } = await this.upToCallback(start, login);
    return { ...(await this.request(callback)), url: callback };
  }

  /** The same, without opening the callback. */
  async upToCallback(start: string, login: string): Promise<{ callback: string }> {
    const home = new URL(start).origin;
    let answer = await this.request(start);
    for (let step = 0; step < 20; step += 1) {
      if (answer.location !== null) {
        if (new URL(answer.location).origin === home) return { callback: answer.location };
        answer = await this.request(answer.location);
        continue;
      }
      const [, action] = /<form[^>]*action="([^"]+)"/.exec(answer.text) ?? [];
      if (action === undefined) throw new Error(`no form and no redirect: ${answer.status} ${answer.text}`);
      const prompt = answer.text.includes('name="login"') ? 'login' : 'consent';
      const form: Record<string, string> =
        prompt === 'login' ? { prompt, login, password: 'any' } : { prompt };
      answer = await this.request(action.replaceAll('&amp;', '&'), {
        method: 'POST',
        body: new URLSearchParams(form),
      });
    }
    throw new Error('the sign-in did not end within 20 steps');
  }
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const name = pair.slice(0, at);
  const isGone = attributes.some(
    (attribute) => /^max-age=0$/i.test(attribute) || /^expires=thu, 01 jan 1970/i.test(attribute),
  );
  if (isGone || at === pair.length - 1) jar.delete(name);
  else jar.set(name, pair.slice(at + 1));
}

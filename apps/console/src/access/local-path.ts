const LONGEST = 2_000;
const HERE = 'http://here.invalid';

/**
 * Returns `to` as a path of this console, with its query and fragment. Everything else, such as the URL of
 * another site, becomes `/`.
 */
export function localPath(to: unknown): string {
  if (typeof to !== 'string' || to.length > LONGEST || !/^\/(?![/\\])/.test(to)) return '/';
  if (!URL.canParse(to, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(to, HERE);
  // Dots are resolved: `/.//site` has become `//site`. A sign-in that leads to a sign-in would not end.
  if (origin !== HERE || pathname.startsWith('//') || /^\/auth(?:\/|$)/i.test(pathname)) return '/';
  return pathname + search + hash;
}

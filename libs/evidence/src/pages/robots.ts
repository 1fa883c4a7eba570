/** A rule of robots.txt: the longest pattern that matches a path decides. */
interface RobotsRule {
  pattern: string;
  allows: boolean;
}
export type RobotsRules = readonly RobotsRule[];

/** Bytes of a robots.txt that are read, as RFC 9309 (section 2.5) requires at least. */
export const ROBOTS_BYTES = 512_000;
const MOST_RULES = 5_000;
const MOST_PATTERN = 500;

/**
 * Reads the rules of a robots.txt for one program (RFC 9309): those of the groups that name it, otherwise those of
 * the groups for `*`. @param agent Product name in lower case.
 */
export function readRobots(text: string, agent: string): RobotsRules {
  const own: RobotsRule[] = [];
  const common: RobotsRule[] = [];
  let isNamed = false;
  let targets: RobotsRule[][] = [];
  let startsGroup = true;
  for (const line of text.slice(0, ROBOTS_BYTES).split(/\r\n|\r|\n/)) {
    const [field = '', ...rest] = (line.split('#', 1)[0] ?? '').split(':');
    const [name, value] = [field.trim().toLowerCase(), rest.join(':').trim()];
    if (name === 'user-agent') {
      if (!startsGroup) targets = [];
      startsGroup = true;
      if (value.toLowerCase() === agent) {
        isNamed = true;
        targets.push(own);
      } else if (value === '*') targets.push(common);
    } else if (name === 'allow' || name === 'disallow') {
      startsGroup = false;
      if (value === '' || value.length > MOST_PATTERN) continue;
      for (const rules of targets)
        if (rules.length < MOST_RULES) rules.push({ pattern: value, allows: name === 'allow' });
    }
  }
  return isNamed ? own : common;
}

/** Returns whether the rules allow a path with its query. Without a matching rule, it is allowed. */
export function allowsPath(rules: RobotsRules, path: string): boolean {
  let [longest, allows] = [-1, true];
  for (const rule of rules) {
    const { length } = rule.pattern;
    if (length < longest || (length === longest && allows) || !matches(rule.pattern, path)) continue;
    [longest, allows] = [length, rule.allows];
  }
  return allows;
}

/** `*` is any text, and a final `$` the end of the path. Each part is searched once, from where the last ended. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  if (parts.length === 0) return !isWhole || path.length === first.length;
  const last = isWhole ? parts.pop()! : '';
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** Returns whether a character marks a list, a key or a value in block style. */
const isMark = (char: string | undefined): boolean => char === '-' || char === '?' || char === ':';
const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t';

/**
 * Returns whether a YAML text may nest deeper than `most` lists and maps. This is checked before parsing,
 * because parsers recurse and run out of memory on deeply nested lists. Brackets in strings count too.
 */
export function nestsDeeper(yaml: string, most: number): boolean {
  let depth = 0;
  for (const char of yaml) {
    if (char === '[' || char === '{') depth += 1;
    else if ((char === ']' || char === '}') && depth > 0) depth -= 1;
    if (depth > most) return true;
  }
  return yaml.split('\n').some((line) => startsDeeper(line, most));
}

// The depth of a line is limited by its indentation and by the number of consecutive marks in it.
function startsDeeper(line: string, most: number): boolean {
  const indent = line.length - line.trimStart().length;
  if (indent > 2 * most) return true;
  let marks = 0;
  for (let at = indent; at < line.length; at += 1) {
    if (isBlank(line[at])) continue;
    marks = isMark(line[at]) && isBlank(line[at + 1]) ? marks + 1 : 0;
    if (marks > most) return true;
  }
  return false;
}

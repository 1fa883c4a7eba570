import { find } from 'linkifyjs';
import { inLine } from './plain-text.js';

const SPECIAL = /[\\`*_{}[\]()<>#+\-!|~&=@:]/g;

/**
 * Text from outside as inert Markdown on one line: it shows as it is written, but makes no HTML, link, image,
 * heading or list. Links are broken up as well (`hxxps://evil[.]example`), for renderers that link whatever
 * looks like an address.
 */
export function inertText(text: string, max = 2_000): string {
  return withoutLinks(inLine(text, max)).replace(SPECIAL, '\\$&');
}

/** Text from outside as a code block that it cannot end. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function withoutLinks(text: string): string {
  const links = find(text).toSorted((a, b) => b.start - a.start);
  const broken = links.reduce(
    (line, { start, end }) =>
      line.slice(0, start) + line.slice(start, end).replaceAll('.', '[.]') + line.slice(end),
    text,
  );
  return broken
    .replace(/h(tt)(ps?:\/\/)/gi, 'hxx$2')
    .replace(/\bwww\./gi, 'www[.]')
    .replace(/(?<=\w)@(?=\w)/g, '[at]');
}

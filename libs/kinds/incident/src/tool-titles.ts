import type { Evidence } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';

/** Wire name of a tool, with arguments as JSON if the runbook gives them, in backticks or not. */
const MENTION = /`?\b([\w-]{1,64}?)__([\w.-]{1,64})(?:[ \t]{1,8}\{[^`\n{}]{0,2000}\})?`?/g;

/** Returns a function that replaces the wire names of a run's tools in a text by their titles. */
export function titling({ tools = [], toolsOut = [] }: Evidence): (text: string) => string {
  const titles = new Map([
    ...toolsOut.map(({ name }) => [name, nameInWords(name)] as const),
    ...tools.map(
      ({ name, title }) => [name, title === undefined ? nameInWords(name) : inLine(title, 100)] as const,
    ),
  ]);
  return (text) =>
    text.replace(MENTION, (whole, server: string, tool: string) => titles.get(`${server}__${tool}`) ?? whole);
}

/** `db connections (shop)` of `shop__db_connections`. */
function nameInWords(name: string): string {
  const [server = '', ...rest] = name.split('__');
  return `${rest.join(' ').replace(/[_.-]+/g, ' ')} (${server})`;
}

/** A name of the program as words: `page-ticket-or-nothing` -> `page ticket or nothing`. */
export function inWords(name: string): string {
  return name.replaceAll(/[_-]/g, ' ');
}

/** Returns the first `max` code points. It never splits a character. */
export function firstCharacters(text: string, max: number): string {
  return text.length <= max
    ? text
    : Array.from(text.slice(0, max * 2))
        .slice(0, max)
        .join('');
}

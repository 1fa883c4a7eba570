/** Returns the words of a list that is written with blanks between them. */
export function words(list: string): readonly string[] {
  return list.split(' ');
}

const NUMBER = String.raw`\d{1,6}(?:\.\d{1,6}){0,8}`;
const AND = String.raw`(?:\s{0,3},\s{0,3}|\s{0,3},?\s{0,3}(?:and|or|to)\s{1,3})`;
const REFERENCE = new RegExp(
  String.raw`(?:\b(?:section|clause|paragraph|article|rule)s?\s{1,3}|§{1,2}\s{0,3})(${NUMBER}(?:${AND}${NUMBER})*)`,
  'gi',
);
const EACH_NUMBER = new RegExp(NUMBER, 'g');
const NUMBERED = new RegExp(String.raw`^\s{0,9}${NUMBER}(?=[.)]?\s)`);

/** Returns the number at the beginning of a section's title (`4.1`). null: there is none. */
export function sectionNumber(title: string): string | null {
  return NUMBERED.exec(title)?.[0].trim() ?? null;
}

/**
 * Returns the section numbers that a text names (`sections 4.1 and 4.2`), in order. Of a range: its two ends.
 */
export function sectionsNamed(text: string): string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, list = '']) => list.match(EACH_NUMBER) ?? []);
}

/** Returns whether a text names this section, or one that contains it. */
export function namesSection(text: string, number: string): boolean {
  return sectionsNamed(text).some((reference) => reference === number || number.startsWith(`${reference}.`));
}

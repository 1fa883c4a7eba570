/** Tesseract's languages that are read together, by the script that they are written in. */
const SCRIPT_OF: Readonly<Record<string, string>> = {
  ara: 'Arabic',
  fas: 'Arabic',
  urd: 'Arabic',
  ben: 'Bengali',
  chi_sim: 'Chinese',
  chi_tra: 'Chinese',
  bul: 'Cyrillic',
  rus: 'Cyrillic',
  srp: 'Cyrillic',
  ukr: 'Cyrillic',
  hin: 'Devanagari',
  mar: 'Devanagari',
  nep: 'Devanagari',
  ell: 'Greek',
  guj: 'Gujarati',
  heb: 'Hebrew',
  jpn: 'Japanese',
  kan: 'Kannada',
  kor: 'Korean',
  mal: 'Malayalam',
  pan: 'Gurmukhi',
  tam: 'Tamil',
  tel: 'Telugu',
  tha: 'Thai',
};

/** Returns languages in groups of one script each, in their order; those of Latin letters are one group. */
export function byScript(languages: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const language of languages) {
    const script = SCRIPT_OF[language] ?? 'Latin';
    groups.set(script, [...(groups.get(script) ?? []), language]);
  }
  return groups;
}

/** Names that Tesseract's detection gives scripts, where they differ. */
const DETECTED: Readonly<Record<string, string>> = {
  Han: 'Chinese',
  Hangul: 'Korean',
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
  Fraktur: 'Latin',
};
/** Confidence of a detection from which the script is named; these are detected well, and never with a high one. */
const NAMED_FROM = 0.5;
const NAMED_ANYWAY = new Set(['Han', 'Hangul', 'Korean', 'Japanese']);

/** Returns the script that was detected, in the words of `byScript`; null: none to rely on. */
export function detectedScript(name: string, confidence: number): string | null {
  if (confidence < NAMED_FROM && !NAMED_ANYWAY.has(name)) return null;
  const script = DETECTED[name] ?? name;
  return script === 'Common' ? null : script;
}

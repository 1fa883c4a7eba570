// Postgres' own dictionaries, of every version this store runs on.
const CONFIGURATIONS: Record<string, string> = {
  ...{ ar: 'arabic', ca: 'catalan', da: 'danish', de: 'german', el: 'greek', en: 'english', es: 'spanish' },
  ...{ eu: 'basque', fi: 'finnish', fr: 'french', ga: 'irish', hi: 'hindi', hu: 'hungarian', hy: 'armenian' },
  ...{ id: 'indonesian', it: 'italian', lt: 'lithuanian', nb: 'norwegian', ne: 'nepali', nl: 'dutch' },
  ...{ nn: 'norwegian', no: 'norwegian', pt: 'portuguese', ro: 'romanian', ru: 'russian', sr: 'serbian' },
  ...{ sv: 'swedish', ta: 'tamil', tr: 'turkish', yi: 'yiddish' },
};

/** The text search configuration for a language (BCP 47); words as they are where there is none. */
export function searchConfiguration(language: string): string {
  const [primary = ''] = language.toLowerCase().split('-');
  // What is written in another script than the dictionary knows has no stems in it.
  return /-latn\b/i.test(language) && primary === 'hi' ? 'simple' : (CONFIGURATIONS[primary] ?? 'simple');
}

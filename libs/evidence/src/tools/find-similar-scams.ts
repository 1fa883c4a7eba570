import {
  CasefileError,
  similarityLevel,
  z,
  type PatternAnswer,
  type PatternMatch,
  type PatternSearch,
  type SimilarityLevels,
  type Tool,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'find_similar_scams';
const similarity = z.number().min(0).max(1).optional();
const inOrder = (levels: { highFrom?: number | undefined; mediumFrom?: number | undefined }) =>
  (levels.mediumFrom ?? 0) <= (levels.highFrom ?? 1);
const OUT_OF_ORDER = { path: ['mediumFrom'], message: 'expected at most highFrom' };
const args = z
  .object({
    entityType: z.literal('message'),
    /** The message, or its beginning. */
    entityValue: z.string().trim().min(1).max(2048),
    /** BCP 47; `und` if unknown. */
    language: z.string().min(1).max(35).default('und'),
    /** Most matches returned. */
    matches: z.number().int().min(3).max(5).default(5),
    /** Similarities (0..1) from which a match counts as HIGH and MEDIUM. Default: those of the search. */
    highFrom: similarity,
    mediumFrom: similarity,
    /** The same per embedder: its model's name, or `words` if only words are compared. */
    levels: z
      .record(
        z.string().max(200),
        z.object({ highFrom: similarity, mediumFrom: similarity }).refine(inOrder, OUT_OF_ORDER),
      )
      .default({}),
  })
  .refine(inOrder, OUT_OF_ORDER);
type SearchArguments = z.infer<typeof args>;

/** Characters of a pattern's text in a result. */
const TEXT_LENGTH = 1_000;

/**
 * The known scam patterns most similar to a message. Result `{ matches: [{ number, similarity (0..1), cosine,
 * words (0..1 or null), level, patternId, title, category, scamType, language, text, redFlags }], patterns,
 * revision, embeddingModel, lookedUpBy, levels: { highFrom, mediumFrom }, note? }`. An empty knowledge base
 * is an answer; a failed query is a gap. `note` reports that there are no patterns, or that a language was
 * compared by words only.
 */
export function findSimilarScams(
  settings: Pick<EvidenceSettings, 'limits'>,
  patterns: PatternSearch | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Finds known scam patterns that are like a message.',
    locality: patterns?.locality ?? 'local',
    reads: patterns?.locality === 'remote' ? 'outside' : 'database',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    // The first call would load the encoder and the patterns. An encoder elsewhere is not asked without a message.
    ...(patterns === undefined || patterns.locality === 'remote' ? {} : { warm: warmedBy(patterns) }),
    async run(input, { signal }) {
      if (patterns === undefined)
        throw new CasefileError(
          'not_configured',
          'This process was started without a search over scam patterns',
        );
      const question = args.parse(input);
      const { entityValue: text, language, matches: limit } = question;
      const similar = await patterns.search({ text, language, limit }, signal);
      const levels = searchArgumentLevels(question, similar);
      return {
        result: {
          matches: similar.matches.map((match, i) => shownMatch(match, i + 1, levels)),
          patterns: similar.patterns,
          revision: similar.revision,
          embeddingModel: similar.model,
          lookedUpBy: similar.lookedUpBy,
          levels: { ...levels },
          ...languageNote(language, similar),
        },
        source: 'scam patterns',
      };
    },
  };
}

const warmedBy = (patterns: PatternSearch) => async (signal: AbortSignal) => {
  await patterns.search({ text: 'warm', language: 'en', limit: 1 }, signal);
};

function languageNote(language: string, { patterns, lookedUpBy, model }: PatternAnswer): { note?: string } {
  if (patterns === 0) return { note: 'There are none to compare the message with.' };
  return lookedUpBy === 'words' ? { note: wordsAlone(language, model) } : {};
}

function wordsAlone(language: string, model: string): string {
  return `Looked up by words alone: the encoder in use (${model}) does not read the language of the message (${language}).`;
}

function searchArgumentLevels(
  search: SearchArguments,
  { lookedUpBy, model, levels: shipped }: PatternAnswer,
): SimilarityLevels {
  const own = search.levels[lookedUpBy === 'words' ? 'words' : model];
  const highFrom = own?.highFrom ?? search.highFrom ?? shipped.highFrom;
  const mediumFrom = own?.mediumFrom ?? search.mediumFrom ?? shipped.mediumFrom;
  return { highFrom, mediumFrom: Math.min(mediumFrom, highFrom) };
}

function shownMatch(match: PatternMatch, number: number, levels: SimilarityLevels) {
  const { pattern, language, cosine, words } = match;
  const { id: patternId, title, category, scamType, redFlags, texts } = pattern;
  const similarity = rounded(match.similarity);
  return {
    number,
    similarity,
    cosine: cosine === null ? null : rounded(cosine),
    words: words === null ? null : rounded(words),
    level: similarityLevel(similarity, levels),
    patternId,
    title,
    category,
    scamType,
    language,
    text: (texts[language] ?? '').slice(0, TEXT_LENGTH),
    redFlags,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import { CasefileError, z, type PatternMatch, type PatternSearch, type Tool } from '@casefile/contracts';
import { limitsOf } from '../limits-of.js';
import type { EvidenceSettings } from '../settings.js';

const NAME = 'find_similar_scams';
const level = (value: number) => z.number().min(0).max(1).default(value);
const args = z
  .object({
    entityType: z.literal('message'),
    /** The message, or its beginning. */
    entityValue: z.string().trim().min(1).max(2048),
    /** BCP 47; `und` when it is not known. */
    language: z.string().min(1).max(35).default('und'),
    /** S3-10: 3 to 5. */
    matches: z.number().int().min(3).max(5).default(5),
    /** Similarities from which a match is called HIGH and MEDIUM, 0..1; below it is LOW. S3-11. */
    highFrom: level(0.85),
    mediumFrom: level(0.7),
  })
  .refine((given) => given.mediumFrom <= given.highFrom, {
    path: ['mediumFrom'],
    message: 'expected no more than highFrom',
  });
type Levels = Pick<z.infer<typeof args>, 'highFrom' | 'mediumFrom'>;

/** Characters of a pattern's text in a result. */
const TEXT_LENGTH = 1_000;

/**
 * S3-10, S3-11: the known scam patterns that are most like a message. Result `{ matches: [{ number, similarity (0..1),
 * level, patternId, title, category, scamType, language, text, redFlags }], patterns, revision, embeddingModel }`; an
 * empty knowledge base is an answer, a look-up that failed is a gap.
 */
export function findSimilarScams(
  settings: Pick<EvidenceSettings, 'limits'>,
  patterns: PatternSearch | undefined,
): Tool {
  return {
    name: NAME,
    description: 'Finds known scam patterns that are like a message.',
    locality: patterns?.locality ?? 'local',
    entityTypes: [],
    args,
    limits: limitsOf(NAME, { timeoutMs: 15_000, attempts: 2, concurrency: 20 }, settings),
    async run(given, { signal }) {
      if (patterns === undefined)
        throw new CasefileError(
          'not_configured',
          'This process was started without a search over scam patterns',
        );
      const { entityValue: text, language, matches: limit, ...levels } = args.parse(given);
      const found = await patterns.search({ text, language, limit }, signal);
      return {
        result: {
          matches: found.matches.map((match, i) => matchOf(match, i + 1, levels)),
          ...{ patterns: found.patterns, revision: found.revision, embeddingModel: found.model },
        },
        source: 'scam patterns',
      };
    },
  };
}

function matchOf({ pattern, language, similarity }: PatternMatch, number: number, levels: Levels) {
  const { id: patternId, title, category, scamType, redFlags, texts } = pattern;
  const rounded = Math.round(similarity * 10_000) / 10_000;
  return {
    ...{ number, similarity: rounded, level: levelOf(rounded, levels), patternId, title, category, scamType },
    ...{ language, text: (texts[language] ?? '').slice(0, TEXT_LENGTH), redFlags },
  };
}

/** S3-11: 0.92 is HIGH and 0.78 MEDIUM when nothing else is set. */
function levelOf(similarity: number, { highFrom, mediumFrom }: Levels): 'HIGH' | 'MEDIUM' | 'LOW' {
  if (similarity >= highFrom) return 'HIGH';
  return similarity >= mediumFrom ? 'MEDIUM' : 'LOW';
}

import {
  CasefileError,
  similarityLevel,
  z,
  type PatternSearch,
  type ReadTextSignals,
  type TextSignals,
  type Tool,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const NAME = 'text_signals';
const args = z.object({
  /** The text, or its beginning. */
  text: z.string().trim().min(1).max(20_000),
  /** BCP 47; `und` if unknown. */
  language: z.string().min(1).max(35).default('und'),
  /** Number of known patterns listed with the signals. */
  patterns: z.number().int().min(0).max(5).default(3),
});

/** Characters of a pattern's text in a result. */
const PATTERN_LENGTH = 200;

/**
 * Signs in the text itself for and against its sender, and the known scam patterns with the most similar
 * words. Result `{ signals, notes, legitimacy: [{ kind, words, language }], nearestPatterns: [{ number,
 * similarity (0..1), level, patternId, title, category, pattern }], count, weight, isRead, asks, message_model: { score, words
 * } }`. `count` counts the signals. Nothing was found if `count` is 0 and no pattern has level HIGH or
 * MEDIUM. Patterns are compared by words only, so that nothing leaves the process.
 */
export function textSignals(
  settings: Pick<EvidenceSettings, 'limits'>,
  read: ReadTextSignals | undefined,
  patterns: PatternSearch | undefined,
): Tool {
  return {
    name: NAME,
    description:
      'Reads what a text itself says: requests, threats, promises, disguises, and known scam patterns.',
    locality: 'local',
    reads: patterns === undefined ? 'nothing' : 'database',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(input, { signal }) {
      if (read === undefined)
        throw new CasefileError('not_configured', 'This process was started without rules that read texts');
      const { text, language, patterns: limit } = args.parse(input);
      const signals = await read(text);
      const near = limit === 0 ? null : await nearest(patterns, { text, language, limit }, signal);
      return {
        result: {
          signals: plain(signals.signals),
          notes: plain(signals.notes),
          legitimacy: plain(signals.legitimacy),
          nearestPatterns: near?.matches ?? [],
          // Reported only for an empty base: any other number of patterns does not affect the reading.
          ...(near?.patterns === 0 ? { patterns: 0 } : {}),
          count: signals.signals.length,
          weight: signals.weight,
          isRead: signals.isRead,
          asks: signals.asks,
          message_model: signals.messageModel === null ? null : { ...signals.messageModel },
        },
        source: 'rules over the text',
      };
    },
  };
}

const plain = (signals: TextSignals['signals']) =>
  signals.map(({ kind, words, language }) => ({ kind, words: [...words], language }));

async function nearest(
  patterns: PatternSearch | undefined,
  question: { text: string; language: string; limit: number },
  signal: AbortSignal,
) {
  if (patterns === undefined) return null;
  const similar = await patterns.search({ ...question, wordsAlone: true }, signal);
  const matches = similar.matches.map(({ pattern, language, similarity }, i) => ({
    number: i + 1,
    similarity: Math.round(similarity * 10_000) / 10_000,
    level: similarityLevel(similarity, similar.levels),
    patternId: pattern.id,
    title: pattern.title,
    category: pattern.category,
    pattern: (pattern.texts[language] ?? '').slice(0, PATTERN_LENGTH),
  }));
  return { matches, patterns: similar.patterns };
}

import { CasefileError, silentLogger, z, type Brief, type JsonObject } from '@casefile/contracts';
import type { MeasuredTool, Measures } from '@casefile/kit/evaluation/dataset';
import { wilson95, type Interval } from '@casefile/kit/evaluation/figures';
import { intervalRate, table } from '@casefile/kit/evaluation/tables';
import type { LabelledMessage } from '@casefile/kit/messages/read-dataset';
import { patternLookUp } from '../look-up.js';
import { options as screeningOptions } from '../options.js';
import { routeMessage } from '../route-message.js';
import type { SameCategories } from './evaluation.js';

/** Tool that finds known patterns. */
export const PATTERN_TOOL = 'find_similar_scams';
const LEVELS = ['HIGH', 'MEDIUM', 'LOW'] as const;
const resultSchema = z.object({
  matches: z.array(z.object({ category: z.string(), level: z.enum(LEVELS) })),
  patterns: z.number(),
  embeddingModel: z.string(),
  lookedUpBy: z.string(),
});

/** One message with its matches; null: look-ups do not support its language, or it has no text to search. */
interface LookedUp {
  message: LabelledMessage;
  result: z.infer<typeof resultSchema> | null;
}

interface LanguageFigures {
  language: string;
  lookedUpBy: string;
  scams: number;
  /** Share of the scams whose kind is that of the first match (`at1`), or of one of the first five. */
  at1: Interval;
  at5: Interval;
  /**
   * Per level of the first match: the share of messages that are a scam of that kind, and the share that are
   * a scam.
   */
  levels: Record<(typeof LEVELS)[number], { ofThatKind: Interval; scams: Interval }>;
}

/**
 * Looks up each message like the playbook, but without a model and without writing to the record. Counts how
 * often the found kind is the labelled kind. Returns only totals, so that it may be used on an unseen set.
 * @throws CasefileError of the look-up, of the store, and `no_patterns`; the signal's reason if aborted.
 */
export async function measureLookUps(
  messages: LabelledMessage[],
  same: SameCategories,
  ports: MeasuredTool,
): Promise<Measures> {
  const lookUps: LookedUp[] = [];
  for (const message of messages) {
    ports.signal.throwIfAborted();
    lookUps.push({ message, result: await lookUp(message, ports) });
    ports.progress(lookUps.length, messages.length);
  }
  return lookUpMeasures(lookUps, same);
}

async function lookUp({ text }: LabelledMessage, { tool, settings, signal, clock }: MeasuredTool) {
  const options = screeningOptions.read(settings.options);
  const brief: Brief = {
    text,
    textSource: 'text',
    entities: {},
    given: [],
    collect: true,
    notes: [],
    ...(await routeMessage(text, options)),
    receivedAt: new Date(0).toISOString(),
  };
  const [request] = patternLookUp(brief, options);
  if (request === undefined) return null;
  const args: JsonObject = request.args;
  const { result } = await tool.run(args, { signal, clock, log: silentLogger });
  const searchResult = resultSchema.parse(result);
  if (searchResult.patterns === 0)
    throw new CasefileError(
      'no_patterns',
      'no scam patterns are imported: name a file of them by --patterns',
    );
  return searchResult;
}

function lookUpMeasures(lookUps: LookedUp[], same: SameCategories): Measures {
  const isSame = ({ message: { isScam, category } }: LookedUp, name: string | undefined): boolean =>
    isScam && name !== undefined && (name === category || (same[category ?? ''] ?? []).includes(name));
  const answered = lookUps.filter(({ result }) => result !== null);
  const languages = [...new Set(answered.map(({ message }) => message.language))].sort();
  const byLanguage = languages.map((language): LanguageFigures => {
    // If other messages of a language were looked up, a message without a look-up counts as a miss.
    const own = lookUps.filter(({ message }) => message.language === language);
    const scams = own.filter(({ message }) => message.isScam && message.category !== null);
    const among = (k: number) =>
      scams.filter((one) => one.result?.matches.slice(0, k).some(({ category }) => isSame(one, category)));
    const levelOf = (level: string) => {
      const at = own.filter(({ result }) => result?.matches[0]?.level === level);
      const right = at.filter((one) => isSame(one, one.result?.matches[0]?.category));
      return {
        ofThatKind: wilson95(right.length, at.length),
        scams: wilson95(at.filter(({ message }) => message.isScam).length, at.length),
      };
    };
    return {
      language,
      lookedUpBy: [...new Set(own.flatMap(({ result }) => result?.lookedUpBy ?? []))].sort().join(', '),
      scams: scams.length,
      at1: wilson95(among(1).length, scams.length),
      at5: wilson95(among(5).length, scams.length),
      levels: { HIGH: levelOf('HIGH'), MEDIUM: levelOf('MEDIUM'), LOW: levelOf('LOW') },
    };
  });
  const first = answered[0]?.result;
  const basis = { patterns: first?.patterns ?? 0, embeddingModel: first?.embeddingModel ?? null };
  const values = { messages: lookUps.length, lookedUp: answered.length, ...basis, byLanguage };
  return { values, lines: lookUpMeasureLines(values) };
}

interface LookUpMeasures {
  messages: number;
  lookedUp: number;
  patterns: number;
  embeddingModel: string | null;
  byLanguage: LanguageFigures[];
}

function lookUpMeasureLines({
  messages,
  lookedUp,
  patterns,
  embeddingModel,
  byLanguage,
}: LookUpMeasures): string[] {
  return [
    `${lookedUp} of ${messages} messages looked up; known patterns: ${patterns}; vectors by ${embeddingModel ?? 'no embedder'}`,
    ...table(
      'The kind of the scam is that of the first match, or of one among five (share, and its 95 % interval)',
      ['language', 'looked up by', 'first', 'among five'],
      byLanguage.map(({ language, lookedUpBy, at1, at5 }) => [
        language,
        lookedUpBy,
        intervalRate(at1),
        intervalRate(at5),
      ]),
    ),
    ...table(
      'What the level of the first match means',
      ['language', 'level', 'messages', 'a scam of that kind', 'a scam'],
      byLanguage.flatMap(({ language, levels }) =>
        LEVELS.map((level) => {
          const { ofThatKind, scams } = levels[level];
          return [language, level, ofThatKind.of, intervalRate(ofThatKind), intervalRate(scams)];
        }),
      ),
    ),
  ];
}

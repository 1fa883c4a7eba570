import { basename } from 'node:path';
import {
  CasefileError,
  silentLogger,
  z,
  type Brief,
  type JsonObject,
  type RunSettings,
  type Tool,
  type ToolBox,
} from '@casefile/contracts';
import { patternLookUp, playbookNamed, routeMessage, screeningOptions } from '@casefile/pipeline';
import {
  connect,
  describeInstallation,
  freezeSettings,
  readConfig,
  systemClock,
  toolsOverPatterns,
  type Config,
} from '@casefile/runtime';
import { quietly } from '../../quietly.js';
import { terminalProgress } from '../../output/progress.js';
import type { Terminal } from '../../output/terminal.js';
import { readInputFile } from '../../read-input-file.js';
import type { Measures } from '../../eval/dataset.js';
import { wilson95, type Interval } from '../../eval/figures.js';
import { intervalRate, table } from '../../eval/tables.js';
import type { SameCategories } from './evaluation.js';
import type { LabelledMessage } from './read-dataset.js';

const PLAYBOOK = 'message-screening';
const TOOL = 'find_similar_scams';
const LEVELS = ['HIGH', 'MEDIUM', 'LOW'] as const;
const resultSchema = z.object({
  matches: z.array(z.object({ category: z.string(), level: z.enum(LEVELS) })),
  patterns: z.number(),
  embeddingModel: z.string(),
  lookedUpBy: z.string(),
});

export interface LookUpOptions {
  /** File of patterns to search; null: the knowledge base of the configuration. */
  patternsFile: string | null;
  same: SameCategories;
  signal: AbortSignal;
}

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
  { patternsFile, same, signal }: LookUpOptions,
  terminal: Terminal,
  config: Config = quietly(readConfig()),
): Promise<Measures> {
  const { tool, close } = await configTool(config, patternsFile);
  const progress = terminalProgress(terminal, 'looking up', messages.length);
  try {
    const settings = freezeSettings(playbookNamed(PLAYBOOK), describeInstallation(config));
    const lookUps: LookedUp[] = [];
    for (const message of messages) {
      signal.throwIfAborted();
      lookUps.push({ message, result: await lookUp(tool, message, settings, signal) });
      progress.to(lookUps.length);
    }
    return lookUpMeasures(lookUps, same);
  } finally {
    progress.end();
    await close();
  }
}

async function configTool(config: Config, patternsFile: string | null) {
  const opened = patternsFile === null ? await connect(config, []) : null;
  const tools = opened?.adapters.tools ?? (await toolsOver(config, patternsFile ?? ''));
  const tool = tools.named(TOOL);
  if (tool === null) throw new CasefileError('unknown_tool', `there is no tool ${TOOL}`);
  return { tool, close: async () => opened?.close() };
}

async function toolsOver(config: Config, patternsFile: string): Promise<ToolBox> {
  return toolsOverPatterns(config, { name: basename(patternsFile), text: await readInputFile(patternsFile) });
}

async function lookUp(tool: Tool, { text }: LabelledMessage, settings: RunSettings, signal: AbortSignal) {
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
  const { result } = await tool.run(args, { signal, clock: systemClock, log: silentLogger });
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

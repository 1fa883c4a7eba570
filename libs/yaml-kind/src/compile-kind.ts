import { existsSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import {
  displayProblems,
  fieldProblems,
  isObject,
  z,
  type FieldProblem,
  type JsonObject,
} from '@casefile/contracts';
import { checkPattern, compileCondition, compileText, type Facts } from './expression.js';
import type { KindFile } from './kind-schema.js';

/** A kind's file whose expressions and schemas are compiled. */
export interface CompiledKind extends Omit<
  KindFile,
  'input' | 'text' | 'lookUps' | 'evidence' | 'rules' | 'decision'
> {
  /** Folder of the file. */
  folder: string;
  input: z.ZodType<JsonObject>;
  text(facts: Facts): string;
  lookUps: { tool: string; args: Record<string, (facts: Facts) => string>; when: Condition }[];
  evidence: { each: string; type: string; when: Condition; value(facts: Facts): string }[];
  /** Schemas of the settings, with their defaults. */
  settingSchemas: Record<string, z.ZodType>;
  answer: { schema: z.ZodType<JsonObject>; json: JsonObject } | null;
  rules: { when: Condition; answer: JsonObject; because(facts: Facts): string }[];
  decision: (Pick<KindFile['decision'][number], 'action' | 'disposition'> & {
    when: Condition;
    because(facts: Facts): string;
  })[];
}
type Condition = (facts: Facts) => boolean;
/** Returns what `make` makes. If it throws, notes the problem at the path. */
type At = <T>(path: string, make: () => T, otherwise: T) => T;

/** Compiles the expressions and schemas of a kind's file. @returns the problems, by field. */
export function compileKind(file: KindFile, folder: string): CompiledKind | FieldProblem[] {
  const problems: FieldProblem[] = [];
  const at: At = (path, make, otherwise) => {
    try {
      return make();
    } catch (thrown) {
      problems.push({ path, message: thrown instanceof Error ? thrown.message : String(thrown) });
      return otherwise;
    }
  };
  const condition = (path: string, text: string | undefined): Condition =>
    text === undefined
      ? () => true
      : at(
          path,
          () => compileCondition(text),
          () => false,
        );
  const words = (path: string, text: string) =>
    at(
      path,
      () => compileText(text),
      () => '',
    );
  const { question } = file;
  for (const [path, name] of [
    ['question.prompt', question?.prompt],
    ['sample', file.sample],
    ['evaluation', file.evaluation],
  ] as const)
    if (name !== undefined && !isFileIn(folder, name))
      problems.push({ path, message: `expected a file in ${folder}, found ${name}` });
  const answerJson = question === undefined ? null : completeAnswer(question.answer as JsonObject);
  const compiled: CompiledKind = {
    ...file,
    folder,
    input: at(
      'input',
      () => schemaOf(withExample(file, folder, problems)),
      z.never() as unknown as z.ZodType<JsonObject>,
    ),
    text: words('text', file.text),
    lookUps: file.lookUps.map(({ tool, args, when }, i) => ({
      tool,
      args: Object.fromEntries(
        Object.entries(args).map(([name, value]) => [name, words(`lookUps[${i}].args.${name}`, value)]),
      ),
      when: condition(`lookUps[${i}].when`, when),
    })),
    evidence: file.evidence.map(({ each, type, when, value }, i) => ({
      each,
      type,
      when: condition(`evidence[${i}].when`, when),
      value: words(`evidence[${i}].value`, value),
    })),
    settingSchemas: Object.fromEntries(
      Object.entries(file.settings).map(([name, json]) => [
        name,
        at(`settings.${name}`, () => settingOf(json as JsonObject), z.unknown()),
      ]),
    ),
    answer:
      answerJson === null
        ? null
        : at('question.answer', () => ({ schema: schemaOf(answerJson), json: answerJson }), null),
    rules: file.rules.map(({ when, answer, because }, i) => ({
      when: condition(`rules[${i}].when`, when),
      answer: answer as JsonObject,
      because: words(`rules[${i}].because`, because),
    })),
    decision: file.decision.map(({ when, action, disposition, because }, i) => ({
      when: condition(`decision[${i}].when`, when),
      action,
      disposition,
      because: words(`decision[${i}].because`, because),
    })),
  };
  problems.push(
    ...wrongDisplay(file),
    ...conflictingActions(file),
    ...reservedFields(file),
    ...wrongAnswers(file, at),
    ...wrongSettings(file),
  );
  if (question === undefined && file.rules.length === 0)
    problems.push({ path: 'question', message: 'expected a question or rules; without both nothing judges' });
  return problems.length > 0 ? problems : compiled;
}

/** Returns the schema of the payload with the sample as its example. */
function withExample({ input, sample }: KindFile, folder: string, problems: FieldProblem[]): JsonObject {
  if (sample === undefined || !isFileIn(folder, sample)) return input as JsonObject;
  const payload = payloadIn(resolve(folder, sample));
  const read = payload === null ? null : schemaOf(input as JsonObject).safeParse(payload);
  if (read?.success === true) return { ...(input as JsonObject), examples: [read.data] };
  const wrong =
    read === null ? [] : fieldProblems(read.error).map(({ path, message }) => `payload.${path}: ${message}`);
  problems.push({
    path: 'sample',
    message: `expected a JSON file with a payload of this kind in ${sample}${wrong.map((one) => `; ${one}`).join('')}`,
  });
  return input as JsonObject;
}

function payloadIn(path: string): JsonObject | null {
  try {
    const alert: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(alert) && isObject(alert['payload']) ? (alert['payload'] as JsonObject) : null;
  } catch {
    return null;
  }
}

// The digest of a kind covers the files of its folder.
function isFileIn(folder: string, name: string): boolean {
  const path = resolve(folder, name);
  return path.startsWith(`${folder}${sep}`) && existsSync(path);
}

/** An action has one disposition, so that a person's answer has one too. */
function conflictingActions({ decision }: KindFile): FieldProblem[] {
  // A case that no row decides has this action.
  const rows = [{ action: 'review', disposition: 'review' }, ...decision];
  return decision.flatMap(({ action, disposition }, i) => {
    const first = rows.find((row) => row.action === action)!;
    return first.disposition === disposition
      ? []
      : [
          {
            path: `decision[${i}].disposition`,
            message: `expected ${first.disposition}, as of ${action} above`,
          },
        ];
  });
}

/** Fields of the outcome that the kind does not set. */
const RESERVED = ['action', 'summary', 'confidence', 'why', 'evidenceUsed'];

function reservedFields({ question, rules }: KindFile): FieldProblem[] {
  const message = 'expected another name: every outcome has this field';
  const within = (path: string, names: string[]) =>
    names.filter((name) => RESERVED.includes(name)).map((name) => ({ path: `${path}.${name}`, message }));
  return [
    ...within('question.answer.properties', Object.keys(question?.answer.properties ?? {})),
    ...rules.flatMap(({ answer }, i) => within(`rules[${i}].answer`, Object.keys(answer))),
  ];
}

function wrongDisplay({ display, input, lookUps, question, rules }: KindFile): FieldProblem[] {
  if (display === undefined) return [];
  const answers = Object.keys(rules.reduce((all, { answer }) => ({ ...all, ...answer }), {}));
  const own = question === undefined ? answers : Object.keys(question.answer.properties);
  const sources = {
    payload: input as JsonObject,
    tools: lookUps.map(({ tool }) => tool),
    answer: (question?.answer ?? null) as JsonObject | null,
    outcome: [...own, 'action', 'summary'],
  };
  return displayProblems(display, sources).map(({ path, message }) => ({ path: `display.${path}`, message }));
}

/** Answers of rules fit the schema of the model's answer, so that the rows of the decision read both. */
function wrongAnswers({ question, rules }: KindFile, at: At): FieldProblem[] {
  if (question === undefined) return [];
  const schema = at('question.answer', () => schemaOf(question.answer as JsonObject), null);
  return rules.flatMap(({ answer }, i) => {
    const read = schema?.safeParse(answer);
    if (read === undefined || read.success) return [];
    return fieldProblems(read.error).map(({ path, message }) => ({
      path: `rules[${i}].answer.${path}`,
      message,
    }));
  });
}

/** Names of options that every kind as YAML has. */
const OWN_OPTIONS = ['deadlineMs', 'toolWaitMs'];

function wrongSettings({ settings, evidence }: KindFile): FieldProblem[] {
  const lists = Object.keys(settings).filter((name) => settings[name]?.['type'] === 'array');
  return [
    ...OWN_OPTIONS.filter((name) => Object.hasOwn(settings, name)).map((name) => ({
      path: `settings.${name}`,
      message: 'expected another name: every kind has this option',
    })),
    ...evidence.flatMap(({ each }, i) => {
      if (lists.includes(each)) return [];
      const message = `expected a setting whose type is array${lists.length === 0 ? '' : ` (${lists.join(', ')})`}`;
      return [{ path: `evidence[${i}].each`, message }];
    }),
  ];
}

// The default fits its own schema, so that a kind that was loaded can judge.
function settingOf({ default: byDefault, ...json }: JsonObject): z.ZodType {
  const schema = schemaOf(json) as z.ZodType;
  const read = schema.safeParse(byDefault);
  if (!read.success) throw new Error(`default: ${fieldProblems(read.error)[0]?.message ?? ''}`);
  return schema.default(byDefault as never);
}

/** Fields that every answer of a model has. */
const ANSWER_FIELDS: JsonObject = {
  confidence: { type: 'number', minimum: 0, maximum: 1, description: 'How sure you are.' },
  why: {
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    description: 'Why, in a few sentences, citing ids such as [E1].',
  },
  evidenceUsed: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 100,
    description: 'Ids of the evidence.',
  },
};

function completeAnswer(own: JsonObject): JsonObject {
  const properties = { ...(own['properties'] as JsonObject), ...ANSWER_FIELDS };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function schemaOf(json: JsonObject): z.ZodType<JsonObject> {
  checkPatterns(json);
  return z.fromJSONSchema(json as Parameters<typeof z.fromJSONSchema>[0]) as unknown as z.ZodType<JsonObject>;
}

/** A group that is repeated: its native matching can take exponential time. */
const REPEATED_GROUP = /\)[*+{]/;

// Schemas match their patterns natively.
function checkPatterns(schema: unknown): void {
  if (Array.isArray(schema)) return schema.forEach(checkPatterns);
  if (!isObject(schema)) return;
  const { pattern } = schema as { pattern?: unknown };
  if (typeof pattern === 'string') {
    checkPattern(pattern);
    if (REPEATED_GROUP.test(pattern))
      throw new Error(`expected a pattern without a group that is repeated: ${pattern}`);
  }
  Object.values(schema).forEach(checkPatterns);
}

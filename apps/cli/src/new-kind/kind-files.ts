/** Returns the files of a new kind of case by their paths: it judges requests by their amount, without a model. */
export function kindFiles(name: string): Record<string, string> {
  const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  return {
    'package.json': `${JSON.stringify({ name, version: '1.0.0', private: true, type: 'module', exports: './index.ts' }, null, 2)}\n`,
    'index.ts': index(name),
    'input.ts': INPUT,
    'rules.ts': RULES,
    'decide.ts': decide(name),
    'command-line.ts': COMMAND_LINE,
    'evaluation.ts': evaluation(name),
    'samples/seen.jsonl': SEEN,
    'samples/alert.json': `${JSON.stringify({ playbook: name, payload: { subject: 'Invoice 4711', amount: 2500 } }, null, 2)}\n`,
    'README.md': readme(name, title),
  };
}

const index = (name: string): string => `import {
  asRecorded,
  buildReport,
  byRules,
  confidenceScale,
  defineKind,
  definePlaybook,
  fromPayload,
  inertText,
  listSection,
  lookUps,
  matching,
  mechanical,
  neverRepeated,
  wordOf,
} from '@casefile/kit';
import { byAmount, dispositionOf, judgedSchema, options } from './decide.ts';
import { inputProblems, preparedInput } from './input.ts';
import { rules } from './rules.ts';

export default defineKind({
  playbook: definePlaybook({
    name: '${name}',
    // Raise it when the behaviour changes.
    version: '1',
    intake: {
      claims: matching('Its payload has an amount.', ({ payload }) => payload?.['amount'] !== undefined),
      problems: inputProblems,
      repeats: neverRepeated,
      entrances: [],
    },
    triage: fromPayload(preparedInput),
    // Wire names of the tools that a run may ask.
    tools: [],
    collect: lookUps({ plan: () => [], waitMs: () => 1_000 }),
    strategies: { rules: byRules('rules', rules) },
    strategy: 'rules',
    thinking: 'as-provider',
    maxRounds: 1,
    onOutage: 'fallback',
    critique: mechanical(() => ''),
    write: ([unit]) =>
      buildReport(
        'Result',
        [listSection('Why', [unit!.draft.explanation]), inertText(unit!.brief.text)],
        unit!,
      ),
    decision: byAmount,
    outward: asRecorded,
    presenting: {
      word: ({ outcome }) => wordOf(outcome['action']),
      answer: ({ size }) => wordOf(size),
      // Fields that a reviewer may correct, and that labelled sets are compared by.
      judged: judgedSchema,
      impliedDisposition: dispositionOf,
      rule: 'A large amount is stopped, a medium one needs review, a small one passes.',
      labels: { amount: 'amount' },
      scales: (verdict) => [confidenceScale(verdict)],
    },
    options,
  }),
  commandLine: () => import('./command-line.ts'),
});
`;

const INPUT = `import { fieldProblems, parseInput, z } from '@casefile/kit';
import type { Alert, AlertInput, FieldProblem, PreparedPayload } from '@casefile/kit';

/** Schema of the payload. */
export const inputSchema = z.object({
  subject: z.string({ error: 'expected a text' }).min(1).max(500),
  amount: z.number({ error: 'expected a number' }).nonnegative(),
});

/** Returns the problems of an alert's payload, by field. */
export function inputProblems({ payload }: AlertInput): FieldProblem[] {
  const read = inputSchema.safeParse(payload ?? {});
  if (read.success) return [];
  return fieldProblems(read.error).map(({ path, message }) => ({ path: \`payload.\${path}\`, message }));
}

/** Returns the input of a case. @throws InvalidInput for another payload. */
export function preparedInput({ payload }: Alert): PreparedPayload {
  const input = parseInput(inputSchema, payload, 'payload');
  return { text: \`\${input.subject}: \${input.amount}\`, input, units: [] };
}
`;

const RULES = `import { parseInput } from '@casefile/kit';
import type { RuleAnswer, Rules } from '@casefile/kit';
import { inputSchema } from './input.ts';

/** Judges without a model. */
const answer: RuleAnswer = ({ brief }) => {
  const { amount } = parseInput(inputSchema, brief.input, 'input');
  return {
    answer: { size: amount >= 1_000 ? 'large' : 'small' },
    explanation: \`The amount is \${amount}.\`,
    claims: [],
    evidenceUsed: [],
    remarks: [],
    confidence: 1,
    confidenceSource: 'heuristic',
    method: 'heuristic',
  };
};

export const rules: Rules = { answer };
`;

const decide = (
  name: string,
): string => `import { degradationOf, degradedCauseOf, defineOptions, lookUpsOf, parseInput, z } from '@casefile/kit';
import type { DecisionRule, JsonObject, Verdict } from '@casefile/kit';
import { inputSchema } from './input.ts';

/** Limits that the configuration may set, in the section \`playbooks\`. */
export const options = defineOptions(
  '${name}',
  z.object({
    reviewFrom: z.number().positive().default(1_000),
    stopFrom: z.number().positive().default(10_000),
  }),
);

const DISPOSITION = { stop: 'act', review: 'review', pass: 'dismiss' } as const;

/** Fields of an outcome that a reviewer may correct. */
export const judgedSchema = z.object({ action: z.enum(['stop', 'review', 'pass']) });

/** Returns what follows from an outcome that a person set; null: its fields are unknown. */
export function dispositionOf(outcome: JsonObject): Verdict['disposition'] | null {
  const read = judgedSchema.safeParse(outcome);
  return read.success ? DISPOSITION[read.data.action] : null;
}

/** Decides by the amount. A degraded case is not dismissed. */
export const byAmount: DecisionRule = {
  name: 'by-amount',
  decide([unit], settings, decidedAt) {
    const { reviewFrom, stopFrom } = options.read(settings.options);
    const { amount } = parseInput(inputSchema, unit?.brief.input, 'input');
    const { confidence = 0, confidenceSource = 'heuristic', method = 'heuristic' } = unit?.draft ?? {};
    const { explanation = '', fallbackReason, evidenceUsed = [] } = unit?.draft ?? {};
    const counts = lookUpsOf(unit?.evidence.items ?? []);
    const degradation = degradationOf(
      [
        fallbackReason === undefined ? null : degradedCauseOf(fallbackReason),
        counts.failed > 0 ? 'lookups_failed' : null,
      ],
      counts,
    );
    const byRule = amount >= stopFrom ? 'stop' : amount >= reviewFrom ? 'review' : 'pass';
    const action = byRule === 'pass' && degradation.degraded ? 'review' : byRule;
    return {
      outcome: { action, size: unit?.draft.answer['size'] ?? 'small', amount, summary: \`\${amount}: \${action}\` },
      disposition: DISPOSITION[action],
      confidence,
      confidenceSource,
      method,
      reasons: [\`\${action}: \${explanation}\`],
      citations: evidenceUsed,
      ...degradation,
      decidedAt,
    };
  },
};
`;

const COMMAND_LINE = `export { evaluation } from './evaluation.ts';
`;

const evaluation = (name: string): string => `import { fileURLToPath } from 'node:url';
import { isUnseen, readLines, wilson95, z } from '@casefile/kit';
import type { DatasetKind, Json, JsonObject } from '@casefile/kit';
import { inputSchema } from './input.ts';

const ACTIONS = ['stop', 'review', 'pass'] as const;
const labelledSchema = z.strictObject({ id: z.string(), payload: inputSchema, expected: z.enum(ACTIONS) });
const judgedSchema = z.object({
  key: z.string(),
  id: z.string(),
  expected: z.enum(ACTIONS),
  /** null: the run ended without a verdict. */
  action: z.enum(ACTIONS).nullable(),
});

/** Labelled payloads, one per line. */
export const evaluation: DatasetKind<z.infer<typeof judgedSchema>> = {
  playbook: '${name}',
  items: 'payloads',
  format: 'JSONL with id, payload and expected',
  sets: [
    {
      name: 'seen',
      about: 'payloads that may be read',
      path: fileURLToPath(new URL('./samples/seen.jsonl', import.meta.url)),
    },
  ],
  options: [],
  async read(path, options) {
    const items = await readLines(path, labelledSchema, options);
    return {
      items: items.map((item) => ({
        alert: { playbook: '${name}', payload: item.payload as JsonObject },
        label: item as unknown as Json,
        outcome: { action: item.expected },
        labelledResult: (key, { runs: [run] }) => ({
          key,
          id: item.id,
          expected: item.expected,
          action: z.enum(ACTIONS).safeParse(run?.verdict?.outcome['action']).data ?? null,
        }),
      })),
      schema: judgedSchema,
      keepsResults: !isUnseen(path),
      prepare: async () => ({}),
      measure(results) {
        const right = results.filter(({ expected, action }) => expected === action).length;
        return {
          values: { payloads: results.length, right: wilson95(right, results.length) },
          lines: [\`\${right} of \${results.length} payloads: the action is as labelled\`],
        };
      },
      marksOf: ({ expected, action, run: { confidence } }) => [
        { expected, answer: action, language: null, confidence },
      ],
      rates: () => ({}),
    };
  },
};
`;

const SEEN = `${[
  { id: 'small', payload: { subject: 'Office chairs', amount: 120 }, expected: 'pass' },
  { id: 'medium', payload: { subject: 'Laptops', amount: 2500 }, expected: 'review' },
  { id: 'large', payload: { subject: 'Machine', amount: 25000 }, expected: 'stop' },
  { id: 'limit', payload: { subject: 'Desks', amount: 1000 }, expected: 'review' },
]
  .map((line) => JSON.stringify(line))
  .join('\n')}\n`;

const readme = (name: string, title: string): string => `# ${title}

A kind of case for Casefile, made by \`casefile new kind ${name}\`. Run these commands in the folder of Casefile,
with the path of this folder in place of \`../${name}\`:

\`\`\`sh
CASEFILE_KINDS=../${name} npm start
npx casefile submit ../${name}/samples/alert.json --wait
CASEFILE_KINDS=../${name} npx casefile eval --direct --rules --playbook ${name}
\`\`\`

| file | content |
|---|---|
| \`index.ts\` | the kind: the parts of each stage |
| \`input.ts\` | schema and checks of the payload |
| \`rules.ts\` | the judgement without a model |
| \`decide.ts\` | the decision rule, with the limits that the configuration may set |
| \`evaluation.ts\`, \`samples/seen.jsonl\` | labelled payloads, and how verdicts are compared with them |

Raise \`version\` in \`index.ts\` when the behaviour changes.
`;

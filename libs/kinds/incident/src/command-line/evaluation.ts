import { fileURLToPath } from 'node:url';
import {
  incidentResultSchema,
  INCIDENT_ACTIONS,
  isObject,
  jsonSchema,
  jsonObjectSchema,
  z,
  type AlertInput,
  type IncidentAction,
  type Json,
} from '@casefile/contracts';
import { isUnseen, type DatasetKind, type Line, type NamedSet } from '@casefile/kit/evaluation/dataset';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { wilson95 } from '@casefile/kit/evaluation/figures';
import { readLines } from '@casefile/kit/evaluation/read-lines';
import { comparable, evalCaseReport } from '@casefile/kit/evaluation/report-text';
import { intervalRate, table } from '@casefile/kit/evaluation/tables';

const PLAYBOOK = 'incident';
const action = z.enum(INCIDENT_ACTIONS);

const lookUp = { tool: z.string().min(1), of: z.string(), at: z.string() };
const labelledSchema = z.strictObject({
  id: z.string().min(1).max(200),
  /** Name of the sender whose format the alert has. */
  format: z.string(),
  language: z.string(),
  /** The alert as submitted, without `playbook`. */
  alert: jsonObjectSchema,
  /** Answers of tools, submitted with the alert. No tool is called. */
  lookUps: z.array(
    z.union([
      z.strictObject({ ...lookUp, result: jsonSchema }),
      z.strictObject({ ...lookUp, failed: z.string().min(1) }),
    ]),
  ),
  expected: z.strictObject({
    action,
    /**
     * Groups of words: a named cause is right if it has one word of each group. Empty: there is no cause to
     * name.
     */
    causes: z.array(z.array(z.string().min(1)).min(1)),
  }),
  note: z.string(),
});
type LabelledIncident = z.infer<typeof labelledSchema>;

const judgedIncidentSchema = z.object({
  key: z.string(),
  id: z.string(),
  language: z.string(),
  expected: action,
  /** null: the run ended without a verdict. */
  action: action.nullable(),
  /** Whether there is a cause to name. */
  hasCause: z.boolean(),
  /** Number of causes that the verdict names, and whether one of them is the labelled cause. */
  named: z.number().int(),
  namedRight: z.boolean(),
  /** Whether the report contains the words of the cause, for example in a look-up. */
  shown: z.boolean(),
  because: z.string(),
});
type JudgedIncident = z.infer<typeof judgedIncidentSchema>;

const setNamed = (name: string, about: string): NamedSet => ({
  name,
  about,
  path: fileURLToPath(new URL(`../../../../../samples/eval/incidents/${name}.jsonl`, import.meta.url)),
});

/** Labelled alerts with the answers of their look-ups. */
export const labelledIncidents: DatasetKind<JudgedIncident> = {
  playbook: PLAYBOOK,
  items: 'alerts',
  format: 'JSONL with alert, lookUps and expected',
  sets: [
    setNamed('seen', 'alerts that may be read'),
    setNamed('unseen', 'unseen alerts: only totals are shown'),
  ],
  options: [],
  async read(path, options) {
    const incidents = await readLines(path, labelledSchema, options);
    return {
      items: incidents.map((labelled) => ({
        alert: labelledIncidentAlert(labelled),
        label: labelled as unknown as Json,
        outcome: { action: labelled.expected.action },
        labelledResult: (key, evalCase) => toJudgedIncident(labelled, key, evalCase),
      })),
      schema: judgedIncidentSchema,
      keepsResults: !isUnseen(path),
      prepare: () => Promise.resolve({}),
      measure: (results) => resultMeasures(results, isUnseen(path)),
      scoredAnswers: ({ expected, action: answer, language, run: { confidence } }) => [
        { expected, answer, language, confidence },
      ],
      rates,
    };
  },
};

function labelledIncidentAlert({ alert, lookUps }: LabelledIncident): AlertInput {
  return {
    ...alert,
    playbook: PLAYBOOK,
    // The installation's tools know nothing about an invented alert.
    collect: false,
    evidence: lookUps.map((one) => ({
      toolName: one.tool,
      entityType: 'query',
      entityValue: one.of,
      at: one.at,
      source: one.tool.split('__')[0] ?? one.tool,
      durationMs: 0,
      ...('result' in one
        ? { success: true, result: one.result }
        : { success: false, result: null, reason: 'timeout', message: one.failed }),
    })),
  };
}

function toJudgedIncident({ id, language, expected }: LabelledIncident, key: string, evalCase: EvalCase) {
  const run = evalCase.runs[0];
  const outcome = run?.verdict?.outcome ?? {};
  const draft = run?.artifacts.find(({ artifact }) => artifact === 'draft')?.body;
  const result = incidentResultSchema.safeParse(isObject(draft) ? draft['answer'] : null).data;
  const causes = (result?.hypotheses ?? []).map(({ cause }) => cause);
  const { causes: groups } = expected;
  return {
    key,
    id,
    language,
    expected: expected.action,
    action: action.safeParse(outcome['action']).data ?? null,
    hasCause: groups.length > 0,
    named: causes.length,
    namedRight: groups.length > 0 && causes.some((cause) => hasWords(cause, groups)),
    shown: groups.length > 0 && hasWords(evalCaseReport(evalCase), groups),
    because: run?.verdict?.reasons[0] ?? 'no verdict',
  };
}

function hasWords(text: string, groups: readonly string[][]): boolean {
  const comparableText = comparable(text);
  return groups.every((words) => words.some((word) => comparableText.includes(comparable(word))));
}

function rates(results: readonly Line<JudgedIncident>[]) {
  const withCause = results.filter(({ hasCause }) => hasCause);
  const shareOf = (among: readonly JudgedIncident[], counted: (one: JudgedIncident) => boolean) =>
    wilson95(among.filter(counted).length, among.length);
  const labelled = (...actions: IncidentAction[]) =>
    results.filter(({ expected }) => actions.includes(expected));
  return {
    'labelled page, closed without a person': shareOf(labelled('page'), isClosed),
    'labelled page or ticket, closed without a person': shareOf(labelled('page', 'ticket'), isClosed),
    'labelled ticket or no action, paged': shareOf(
      labelled('ticket', 'no-action'),
      ({ action: answer }) => answer === 'page',
    ),
    'cause named (of alerts with a cause)': shareOf(withCause, ({ namedRight }) => namedRight),
    'another cause named alone': shareOf(withCause, ({ named, namedRight }) => named > 0 && !namedRight),
    'words of the cause in the report': shareOf(withCause, ({ shown }) => shown),
  };
}

const isClosed = ({ action: answer }: JudgedIncident): boolean => answer === 'no-action';

function resultMeasures(results: readonly JudgedIncident[], unseen: boolean) {
  const deviations = results
    .filter(({ expected, action: answer }) => expected !== answer)
    .map(({ id, expected, action: answer, because }) => ({ id, expected, action: answer, because }));
  const right = wilson95(results.length - deviations.length, results.length);
  return {
    values: { alerts: results.length, right, ...(unseen ? {} : { otherwise: deviations }) },
    lines: [
      `${results.length} alerts: the action is as labelled for ${intervalRate(right)}`,
      ...(unseen
        ? []
        : table(
            'Not as labelled',
            ['alert', 'label', 'action', 'why'],
            deviations.map((one) => [one.id, one.expected, one.action ?? 'none', one.because]),
          )),
    ],
  };
}

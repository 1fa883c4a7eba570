import { DISPOSITIONS, z, type Json } from '@casefile/contracts';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { type DatasetKind, isUnseen, refuseLimit, type Line } from '@casefile/kit/evaluation/dataset';
import { FEW_LABELS, wilson95, type Interval } from '@casefile/kit/evaluation/figures';
import type { ScoredAnswer } from '@casefile/kit/evaluation/scored-answers';
import {
  FORMAT_OPTION,
  formatNamed,
  HARMLESS,
  MESSAGE_FORMAT,
  MESSAGE_SETS,
  SCAM,
} from '@casefile/kit/messages/message-sets';
import { type LabelledMessage, readDataset } from '@casefile/kit/messages/read-dataset';
import { few, intervalRate, table } from '@casefile/kit/evaluation/tables';

const PLAYBOOK = 'scam-verdict';

/** Result of one labelled text: a line of the results file. */
const judgedTextSchema = z.object({
  key: z.string(),
  id: z.string(),
  language: z.string(),
  isScam: z.boolean(),
  /** null: the run ended without a verdict. */
  disposition: z.enum(DISPOSITIONS).nullable(),
  riskLevel: z.string().nullable(),
  degraded: z.boolean(),
});
type JudgedText = z.infer<typeof judgedTextSchema>;

/** Shares of each disposition among scams and harmless texts, with 95 % intervals. */
export interface Dispositions {
  labels: number;
  scams: { dismissed: Interval; review: Interval; actedOn: Interval };
  harmless: { dismissed: Interval; review: Interval; actedOn: Interval };
}

/** Labelled messages, judged as texts that a person received. */
export const labelledTexts: DatasetKind<JudgedText> = {
  playbook: PLAYBOOK,
  items: 'texts',
  sets: MESSAGE_SETS,
  format: MESSAGE_FORMAT,
  options: [FORMAT_OPTION],
  async read(path, options) {
    refuseLimit(path, options);
    const messages = await readDataset(path, formatNamed(options['format']), options.limit ?? null);
    return {
      items: messages.map((message) => ({
        alert: { playbook: PLAYBOOK, text: message.text },
        label: message as unknown as Json,
        outcome: { riskLevel: message.isScam ? 'high' : 'low' },
        labelledResult: (key, evalCase) => toJudgedText(message, key, evalCase),
      })),
      schema: judgedTextSchema,
      keepsResults: !isUnseen(path),
      async prepare(knowledge) {
        return { revision: (await knowledge.patternState()).revision };
      },
      measure(results) {
        const languages = [...new Set(results.map(({ language }) => language))].sort();
        const byLanguage = Object.fromEntries(
          languages.map((name) => [
            name,
            judgedDispositions(results.filter(({ language }) => language === name)),
          ]),
        );
        const unfinished = results.filter(({ disposition }) => disposition === null).length;
        const degraded = results.filter((one) => one.degraded).length;
        const values = {
          texts: results.length,
          unfinished,
          degraded,
          all: judgedDispositions(results),
          byLanguage,
        };
        return { values, lines: linesOf(values) };
      },
      scoredAnswers: (result) => [scoredLine(result)],
      rates(results) {
        const { scams, harmless } = judgedDispositions(results);
        return {
          'scams dismissed': scams.dismissed,
          'scams acted on': scams.actedOn,
          'harmless texts acted on': harmless.actedOn,
          'harmless texts left to review': harmless.review,
        };
      },
    };
  },
};

// The disposition `review` leaves open whether the text is a scam.
function scoredLine({ isScam, language, disposition, run }: Line<JudgedText>): ScoredAnswer {
  const answer = disposition === 'act' ? SCAM : disposition === 'dismiss' ? HARMLESS : null;
  return { expected: isScam ? SCAM : HARMLESS, answer, language, confidence: run.confidence };
}

function toJudgedText(message: LabelledMessage, key: string, evalCase: EvalCase): JudgedText {
  const { id, language, isScam } = message;
  const verdict = evalCase.runs[0]?.verdict ?? null;
  const riskLevel = verdict?.outcome['riskLevel'];
  return {
    key,
    id,
    language,
    isScam,
    disposition: verdict?.disposition ?? null,
    riskLevel: typeof riskLevel === 'string' ? riskLevel : null,
    degraded: verdict?.degraded ?? true,
  };
}

/** @param results Results of one language, or of all languages. */
export function judgedDispositions(
  results: readonly Pick<JudgedText, 'isScam' | 'disposition'>[],
): Dispositions {
  const sharesOf = (isScam: boolean) => {
    const own = results.filter((one) => one.isScam === isScam);
    const share = (disposition: string) =>
      wilson95(own.filter((one) => one.disposition === disposition).length, own.length);
    return { dismissed: share('dismiss'), review: share('review'), actedOn: share('act') };
  };
  return { labels: results.length, scams: sharesOf(true), harmless: sharesOf(false) };
}

function linesOf(values: {
  texts: number;
  unfinished: number;
  degraded: number;
  all: Dispositions;
  byLanguage: Record<string, Dispositions>;
}): string[] {
  const rows = [['all', values.all] as const, ...Object.entries(values.byLanguage)];
  return [
    `${values.texts} texts: ${values.degraded} degraded, ${values.unfinished} without a verdict`,
    ...table(
      'Verdicts by language (share, count, 95 % interval)',
      ['language', 'labels', 'scams dismissed', 'harmless acted on', 'harmless left to review', ''],
      rows.map(([name, { labels, scams, harmless }]) => [
        name,
        labels,
        intervalRate(scams.dismissed),
        intervalRate(harmless.actedOn),
        intervalRate(harmless.review),
        few(labels < FEW_LABELS),
      ]),
    ),
    ...table(
      'Scams acted on and left to review',
      ['language', 'acted on', 'left to review'],
      rows.map(([name, { scams }]) => [name, intervalRate(scams.actedOn), intervalRate(scams.review)]),
    ),
  ];
}

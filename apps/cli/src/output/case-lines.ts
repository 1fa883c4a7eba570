import { erasureSentence, reasonInWords, reviewSchema, type ClaimAnswer } from '@casefile/contracts';
import type { ShownCase, ShownRun } from '../client/console-client.js';
import type { KindParts } from '../kinds.js';
import { excerpt, manyLines, oneLine } from '@casefile/kit/output/escape';
import { markdownLines } from './markdown-lines.js';
import type { Colors } from './terminal.js';
import { JUDGED_BY } from './verdict-line.js';

const TEXT_WIDTH = 100;
const ARGUMENTS_WIDTH = 80;
const CLAIM_WIDTH = 160;
/** Maximum characters of a model's reasoning that are shown without `--reasoning`. */
const REASONING_WIDTH = 200;

export interface CaseLinesOptions {
  colors: Colors;
  /** true: show the whole reasoning of models instead of its beginning. */
  reasoning: boolean;
  kinds: KindParts;
}

interface RunLinesOptions extends CaseLinesOptions {
  /** Whether the role of the key reads no reasoning. */
  isWithheld: boolean;
}

/** Returns a case as lines for people: its alerts, and each run from evidence to verdict. */
export function caseLines(shownCase: ShownCase, options: CaseLinesOptions): string[] {
  const { bold } = options.colors;
  const isWithheld = shownCase.withheld?.includes('reasoning') ?? false;
  const head = `${bold(`case ${oneLine(shownCase.id)}`)}  ${shownCase.status}  ${oneLine(shownCase.playbook)}  since ${shownCase.createdAt}`;
  const alerts = shownCase.alerts.map((alert) => {
    const image = alert.image === undefined ? '' : ` [${oneLine(alert.image.mediaType)}]`;
    const title = excerpt(alert.displayTitle, TEXT_WIDTH);
    return `alert  ${alert.receivedAt}  ${oneLine(alert.source ?? '-')}${image}  ${title}`;
  });
  return [
    head,
    ...withheldLines(shownCase),
    ...alerts,
    ...occurrenceLines(shownCase),
    ...correctionLines(shownCase),
    ...answerLines(shownCase),
    ...(shownCase.erasures ?? []).map((erasure) => `erased ${oneLine(erasureSentence(erasure))}`),
    ...shownCase.runs.flatMap((run) => ['', ...runLines(run, { ...options, isWithheld })]),
  ];
}

/** Names the parts that the role of the key does not read. */
function withheldLines({ withheld = [] }: ShownCase): string[] {
  const parts = withheld.map((mark) =>
    mark === 'reasoning' ? 'prompts and reasoning' : 'messages and evidence',
  );
  return parts.length === 0 ? [] : [`role   ${parts.join(', ')}: needs the role reviewer`];
}

function correctionLines({ correction }: ShownCase): string[] {
  if (!correction) return [];
  const { word, disposition, by, at } = correction;
  return [
    `now    ${oneLine(word)} (${disposition}), decided by ${oneLine(by)} ${at}; the run decided otherwise`,
  ];
}

function answerLines({ proposal = null, earlierAnswer, joinedBy = null }: ShownCase): string[] {
  const severity = earlierAnswer?.severity ?? null;
  return [
    ...(earlierAnswer === undefined
      ? []
      : [
          `before ${earlierAnswer.at}  ${oneLine(earlierAnswer.by)} answered an earlier verdict${severity === null ? '' : ` of severity ${oneLine(severity)}`}; the alert came again or became graver since`,
        ]),
    ...(proposal === null
      ? []
      : [
          `other  ${proposal.at}  a repeat was judged ${oneLine(proposal.word)} (${proposal.disposition}); the answer of the person stays in force`,
        ]),
    ...(joinedBy === null ? [] : [`joined by ${oneLine(joinedBy)}`]),
  ];
}

// Later reports of the sender: the alert was resolved, or keeps firing again.
function occurrenceLines({ resolvedAt = null, flaps = 0 }: ShownCase): string[] {
  return [
    ...(resolvedAt === null ? [] : [`over   ${resolvedAt}  reported by the sender`]),
    ...(flaps === 0 ? [] : [`again  ${flaps} occurrences above the hourly limit`]),
  ];
}

function runLines(run: ShownRun, options: RunLinesOptions): string[] {
  const at = run.stage === null ? '' : ` at ${run.stage}`;
  const why = run.reasonCode === null ? '' : `  ${run.reasonCode}: ${oneLine(run.message ?? '')}`;
  const { usd, inputTokens, outputTokens, interactions } = run.cost;
  return [
    `${options.colors.bold(`run ${oneLine(run.id)}`)}  ${run.status}${at}  round ${run.round}  ${run.lane}${why}`,
    ...section(
      'evidence',
      run.evidence.map((item) => `${item.id}  ${evidenceText(item)}`),
    ),
    ...section('tool calls', run.toolCalls.map(toolCallText)),
    ...section(
      'model calls',
      run.interactions.flatMap((it) => interactionLines(it, run, options)),
    ),
    ...options.kinds.sectionsOf(run).flatMap(({ title, lines }) => section(title, lines(run))),
    ...section('cross-examination', examinationLines(run)),
    ...verdictLines(run),
    ...section('report', reportLines(run, options.colors)),
    `  cost: ${usd} USD, ${inputTokens} tokens in, ${outputTokens} out, ${interactions} model calls`,
  ];
}

function verdictLines({ verdict, presentation }: ShownRun): string[] {
  if (verdict === null) return [];
  const {
    word = verdict.disposition,
    answer = '-',
    confidenceApplies = true,
    summary = '',
  } = presentation ?? {};
  const sure = confidenceApplies ? `  ${verdict.confidence.toFixed(2)} (${verdict.confidenceSource})` : '';
  const note = verdict.degradedNote ? ` (${oneLine(verdict.degradedNote)})` : '';
  const degraded = verdict.degraded ? `, degraded${note}` : '';
  const line = `${oneLine(word)}  (${verdict.disposition})  ${oneLine(answer)}${sure}  by ${JUDGED_BY[verdict.method]}${degraded}`;
  return section('verdict', [
    line,
    ...(summary === '' ? [] : [oneLine(summary)]),
    ...verdict.reasons.map((reason) => `- ${oneLine(reason)}`),
  ]);
}

const ANSWERS: Record<ClaimAnswer, string> = {
  supports: 'supports',
  contradicts: 'contradicts',
  not_in_it: 'not in it',
};

/** Returns each claim of the newest review with the result of its check against the sources. */
function examinationLines({ artifacts }: ShownRun): string[] {
  const review = artifacts.filter((record) => record.artifact === 'review').at(-1)?.body;
  const examined = reviewSchema.safeParse(review).data?.crossExamination;
  if (examined === undefined) return [];
  const planted = (examined.planted ?? []).map(
    ({ text, answer }) =>
      `planted as false, ${answer === 'supports' ? 'supported' : answer === null ? 'not answered' : 'rejected'}  ${excerpt(text, CLAIM_WIDTH)}`,
  );
  if (examined.failed !== null) return [`no answer: ${oneLine(reasonInWords(examined.failed))}`, ...planted];
  const claims = examined.claims.map(({ answer, text, sources, quote }) => {
    const words = quote === null ? '' : `  “${excerpt(quote.words, TEXT_WIDTH)}” [${oneLine(quote.source)}]`;
    return `${ANSWERS[answer]}  ${excerpt(text, CLAIM_WIDTH)} [${oneLine(sources.join(', '))}]${words}`;
  });
  return [...claims, ...planted];
}

function reportLines(run: ShownRun, colors: Colors): string[] {
  const report = run.artifacts.filter((record) => record.artifact === 'report').at(-1);
  const markdown = report?.body['markdown'];
  return typeof markdown === 'string' ? markdownLines(markdown, colors) : [];
}

function evidenceText(item: ShownRun['evidence'][number]): string {
  const from = item.given === true ? ' (supplied by the sender)' : '';
  const about = `${oneLine(item.toolName)}${from}  ${oneLine(item.entityType)} ${excerpt(item.entityValue, 60)}`;
  if (!item.success) {
    const message = item.message === undefined ? '' : `, ${excerpt(item.message, TEXT_WIDTH)}`;
    return `${about}  gap: ${oneLine(item.reason ?? 'unknown')}${message}`;
  }
  return `${about}  ${excerpt(JSON.stringify(item.result), TEXT_WIDTH)}`;
}

function toolCallText(call: ShownRun['toolCalls'][number]): string {
  const why = call.reasonCode === null ? '' : ` ${oneLine(call.reasonCode)}`;
  const argumentText = excerpt(JSON.stringify(call.args), ARGUMENTS_WIDTH);
  return `${ofUnit(call)}${oneLine(call.tool)} ${argumentText}  ${call.state}${why}  tries ${call.attempts}  ${call.durationMs ?? '-'} ms`;
}

function interactionLines(
  it: ShownRun['interactions'][number],
  { toolCalls }: ShownRun,
  options: RunLinesOptions,
): string[] {
  const error = it.errorCode === null ? '' : ` ${oneLine(it.errorCode)}`;
  // A tool that calls a model numbers its own steps.
  const tool = it.toolCallId ? toolCalls.find(({ id }) => id === it.toolCallId) : undefined;
  const by = tool === undefined ? '' : ` ${oneLine(tool.tool)}`;
  const place = `${ofUnit(it)}${it.stage} round ${it.round}${by} step ${it.step} try ${it.attempt}`;
  const line = `${place}  ${oneLine(it.provider)} ${oneLine(it.model)}  ${it.state}${error}  ${it.latencyMs ?? '-'} ms`;
  return [line, ...reasoningLines(it, options)];
}

function reasoningLines(
  it: ShownRun['interactions'][number],
  { reasoning: all, colors, isWithheld }: RunLinesOptions,
): string[] {
  if (!it.hasReasoning) return [];
  const { reasoningContent: content, reasoningSummary: summary } = it;
  if (!content && !summary)
    return [isWithheld ? '  reasoning: needs the role reviewer' : '  reasoning: not shown by the provider'];
  if (!all) return [colors.dim(`  reasoning: ${excerpt(summary || content || '', REASONING_WIDTH)}`)];
  const text = manyLines(content || summary || '').split('\n');
  return [
    `  reasoning (${oneLine(it.reasoningSource ?? 'unknown')}):`,
    ...text.map((line) => colors.dim(`    ${line}`)),
  ];
}

// Returns the unit of a run with several units; empty for other runs.
function ofUnit({ unit }: { unit: string }): string {
  return unit === '' ? '' : `[${oneLine(unit)}] `;
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`.trimEnd())];
}

import type { Batch, BatchMember, BatchMembers, BatchPreview } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';

const LONGEST_TEXT = 50;

/** `<id>  running  120 of 300, 4 flipped, $0.12, 2.0 a second, 90 s left`. */
export function batchLine(batch: Batch): string {
  const { id, state, reason, done, total, flipped, failed, applied, sent, overtaken, costUsd } = batch;
  const { decidedByPerson, unchanged, leftOut } = batch;
  const facts = [
    `${done} of ${total}`,
    `${flipped} flipped`,
    ...(failed === 0 ? [] : [`${failed} without a verdict`]),
    ...(decidedByPerson === 0 ? [] : [`${decidedByPerson} decided by a person`]),
    ...(applied === 0 ? [] : [`${applied} applied, ${sent} sent`]),
    ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
    ...(leftOut === 0 ? [] : [`${leftOut} not chosen`]),
    ...(overtaken === 0 ? [] : [`${overtaken} have a newer verdict`]),
    `$${costUsd.toFixed(4)}`,
    ...batchPace(batch),
    ...comparedIn(batch),
  ];
  const why = reason === null ? '' : ` (${oneLine(reason)})`;
  return `${id}  ${state}${why}  ${facts.join(', ')}`;
}

/** `12 applied, 3 messages (archive 3, pager 1), 1 decided by a person, 4 unchanged`. */
export function previewLine(preview: BatchPreview): string {
  const { applied, messages, receivers, decidedByPerson, unchanged, overtaken, examined, hasMore } = preview;
  const to = receivers.map(({ destination, messages: count }) => `${oneLine(destination)} ${count}`);
  return [
    `${applied} applied`,
    `${messages} ${messages === 1 ? 'message' : 'messages'}${to.length === 0 ? '' : ` (${to.join(', ')})`}`,
    ...(decidedByPerson === 0 ? [] : [`${decidedByPerson} decided by a person`]),
    ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
    ...(overtaken === 0 ? [] : [`${overtaken} have a newer verdict`]),
    ...(hasMore ? [`only the first ${examined} new verdicts are counted`] : []),
  ].join(', ');
}

/**
 * Returns facts to compare the flipped cases with: verdicts that vary without any change, cases that needed
 * no comparison, and verdicts that agree with labels.
 */
function comparedIn({ done, twice, unsteady, identical, labelled, rightBefore, rightNow }: Batch): string[] {
  return [
    ...(twice === 0 ? [] : [`of ${twice} run twice ${unsteady} differ without a change`]),
    ...(identical === 0 ? [] : [`${identical} of ${done} with the same requests and no model called`]),
    ...(labelled === 0 ? [] : [`right by label: ${rightBefore} before, ${rightNow} now, of ${labelled}`]),
  ];
}

function batchPace({ state, ratePerSecond, etaSeconds }: Batch): string[] {
  if (state !== 'running' || ratePerSecond === null) return [];
  const rate = `${ratePerSecond.toFixed(1)} a second`;
  return etaSeconds === null ? [rate] : [rate, `${etaSeconds} s left`];
}

/** Returns the flipped cases and those without a verdict, to review before the batch is applied. */
export function memberLines({ members }: BatchMembers): string[] {
  return members.filter(({ flipped, state }) => flipped === true || state === 'failed').map(batchMemberLine);
}

function batchMemberLine({ caseId, baseRunId, runId, message, was, now, text, ...of }: BatchMember): string {
  const verdict = (of: BatchMember['was']) =>
    [of.disposition, of.action].filter((it) => it !== null).join(' ') || 'none';
  const change =
    of.state === 'failed' ? `no verdict: ${oneLine(message ?? '')}` : `${verdict(was)} -> ${verdict(now)}`;
  const kept = of.decidedByPerson ? ' (decided by a person)' : '';
  return `  ${caseId}  ${oneLine(change)}${kept}  ${excerpt(text, LONGEST_TEXT)}  (casefile diff ${baseRunId} ${runId})`;
}

import { isDeepStrictEqual } from 'node:util';
import {
  alertTitle,
  evidenceSchema,
  gapsOf,
  type Alert,
  type ArtifactRecord,
  type CaseDocument,
  type CaseListEntry,
  type CaseSummary,
  type EvidenceItem,
  type Interaction,
  type RunCost,
  type RunDocument,
  type ShownAlert,
  type ShownCase,
  type ShownCorrection,
  type ShownProposal,
  type ShownRun,
  type Verdict,
  type VerdictBrief,
} from '@casefile/contracts';
import { kindDisplay, present, presentingForRun, type Playbook, type Presenting } from '@casefile/pipeline';
import type { ConsolePorts } from './console-ports.js';

// Converts cases and runs of the record to the form that the API shows.

/** Maximum characters of a text in a list. */
const SHORT = 100;

/** Returns a case as a list entry. */
export function caseSummaryEntry(
  { id: caseId, run, standing = null, ...summary }: CaseSummary,
  playbooks: readonly Pick<Playbook, 'name' | 'presenting'>[],
): CaseListEntry {
  const presenting = playbooks.find(({ name }) => name === summary.playbook)?.presenting;
  return {
    caseId,
    ...summary,
    lane: run?.lane ?? null,
    runId: run?.id ?? null,
    runStatus: run?.status ?? null,
    stage: run?.stage ?? null,
    round: run?.round ?? null,
    verdict: run?.verdict ? verdictBrief(run.verdict, presenting) : null,
    correction: shownCorrection(run?.verdict ?? null, standing, presenting),
  };
}

// A verdict that was restored by an undo or an agreement equals that of the run and corrects nothing.
function shownCorrection(
  own: Verdict | null,
  standing: Verdict | null,
  presenting: Presenting | undefined,
): ShownCorrection | null {
  const decidedBy = standing?.decidedBy;
  if (own === null || standing === null || decidedBy === undefined) return null;
  const isSame = isDeepStrictEqual(own.outcome, standing.outcome) && own.disposition === standing.disposition;
  if (isSame) return null;
  const { disposition } = standing;
  const word = presenting?.word(standing) ?? disposition;
  return { by: decidedBy.person, at: decidedBy.at, word, disposition };
}

function verdictBrief(verdict: Verdict, presenting: Presenting | undefined): VerdictBrief {
  const { outcome, reasons: _, citations: __, promptIds: ___, experiment: ____, ...facts } = verdict;
  const action = typeof outcome['action'] === 'string' ? outcome['action'] : null;
  const word = presenting?.word(verdict) ?? facts.disposition;
  const confidenceApplies = (presenting?.unproven?.(verdict) ?? null) === null;
  return { ...facts, word, confidenceApplies, action, outcome: shortFacts(outcome) };
}

function shortFacts(outcome: Verdict['outcome']): VerdictBrief['outcome'] {
  return Object.fromEntries(
    Object.entries(outcome).filter(
      (entry): entry is [string, string | number | boolean] =>
        typeof entry[1] === 'number' ||
        typeof entry[1] === 'boolean' ||
        (typeof entry[1] === 'string' && entry[1].length <= SHORT),
    ),
  );
}

/** Returns a case of the record as the API shows it. */
export function shownCase(document: CaseDocument, playbooks: ConsolePorts['playbooks']): ShownCase {
  const presenting = playbooks.find(({ name }) => name === document.playbook)?.presenting;
  const own = document.runs.find(({ id }) => id === document.leadingRunId)?.verdict ?? null;
  const alerts = document.alerts.map((alert) => shownAlert(document, alert, presenting));
  return {
    ...document,
    caseId: document.id,
    title: alerts.at(-1)?.displayTitle ?? '',
    alerts,
    runs: document.runs.map((run) => shownRun(run, presenting)),
    cost: interactionCost(document.runs.flatMap((run) => run.interactions)),
    correction: shownCorrection(own, document.verdict ?? null, presenting),
    proposal: shownProposal(document, presenting),
  };
}

// The newest verdict next to the answer in force. A rerun is none, and an answer that was withdrawn has none.
function shownProposal(
  { runs, leadingRunId, isAnswered }: CaseDocument,
  presenting: Presenting | undefined,
): ShownProposal | null {
  if (isAnswered !== true) return null;
  const proposed = runs.findLast(
    ({ lane, settings, verdict }) =>
      settings.proposesTo === leadingRunId && (lane === 'live' || lane === 'batch') && verdict !== null,
  );
  if (proposed === undefined || proposed.verdict === null) return null;
  const { verdict } = proposed;
  return {
    runId: proposed.id,
    at: verdict.decidedAt,
    word: presenting?.word(verdict) ?? verdict.disposition,
    disposition: verdict.disposition,
  };
}

// An image has its own URL: documents stay small, and the image gets headers that suit it.
function shownAlert(
  { id: caseId, runs }: CaseDocument,
  { image, ...alert }: Alert,
  presenting: Presenting | undefined,
): ShownAlert {
  const displayTitle = alertTitle(alert, presenting === undefined ? { title: [] } : kindDisplay(presenting));
  if (image === undefined) return { ...alert, displayTitle };
  const { mediaType, base64 } = image;
  const url = `/api/v1/cases/${caseId}/alerts/${alert.id}/image`;
  return {
    ...alert,
    displayTitle: displayTitle === '' ? textInImage(runs, alert.id) : displayTitle,
    image: { mediaType, url, bytes: Buffer.byteLength(base64, 'base64') },
  };
}

function textInImage(runs: readonly RunDocument[], alertId: string): string {
  const run = runs.find((one) => one.alertId === alertId);
  const brief = run?.artifacts.find(({ artifact }) => artifact === 'brief');
  const text = brief?.body['text'];
  return typeof text === 'string' ? alertTitle({ text }, { title: ['text'] }) : '';
}

/** Returns a run as the API shows it: with its evidence and the cost of its model calls. */
export function shownRun(run: RunDocument, ofKind: Presenting | undefined): ShownRun {
  const { verdict, settings } = run;
  const presenting = presentingForRun(settings, ofKind);
  const evidence = newestEvidence(run.artifacts);
  return {
    ...run,
    evidence,
    gaps: gapsOf({ items: evidence }),
    cost: interactionCost(run.interactions),
    view: presenting?.view ?? null,
    presentation:
      verdict === null || presenting === undefined ? null : present(presenting, verdict, settings),
  };
}

/** Returns the items of the evidence artifact of the highest round; empty if nothing was collected yet. */
function newestEvidence(artifacts: ArtifactRecord[]): EvidenceItem[] {
  const newest = artifacts
    .filter((record) => record.artifact === 'evidence')
    .sort((a, b) => b.round - a.round || b.createdAt.localeCompare(a.createdAt))[0];
  if (newest === undefined) return [];
  return evidenceSchema.parse(newest.body).items;
}

/** Adds up the interactions of a run, retries included. */
export function interactionCost(interactions: readonly Interaction[]): RunCost {
  const total = (read: (interaction: Interaction) => number): number =>
    interactions.reduce((sum, interaction) => sum + read(interaction), 0);
  return {
    usd: Number(total((it) => it.costUsd ?? 0).toFixed(10)),
    inputTokens: total((it) => it.usage.inputTokens),
    outputTokens: total((it) => it.usage.outputTokens),
    reasoningTokens: total((it) => it.usage.reasoningTokens),
    cachedTokens: total((it) => it.usage.cachedTokens),
    interactions: interactions.length,
    unpriced: interactions.filter(isUnpriced).length,
  };
}

// A running call has cost nothing yet. A failed call that used nothing needs no price.
function isUnpriced({ costUsd, state, usage }: Interaction): boolean {
  const used = usage.inputTokens + usage.outputTokens > 0;
  return costUsd === null && (used || state === 'completed' || state === 'ambiguous');
}

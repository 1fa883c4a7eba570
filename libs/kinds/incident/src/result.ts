import {
  type Hypothesis,
  type IncidentResult,
  type IncidentStep,
  type JsonObject,
  type LookUp,
  type ReadCitation,
} from '@casefile/contracts';
import { inLine, plainText } from '@casefile/pipeline/plain-text';
import type { LoopEnd } from '@casefile/pipeline/strategies/react/controller';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import type { Incident } from './alert.js';
import { judgeCauses } from './causes/judge-causes.js';
import { isSameCause } from './causes/rival-causes.js';
import { rivalsIn, statementsIn } from './causes/stated.js';
import { withHazard } from './hazards.js';
import { keptText, lookUpsOf, citationProblem, showsStateNow, type Read } from './look-ups.js';
import { measuredIn } from './measured.js';
import { citationsIn } from './read-result.js';
import { incidentIn, runbookIn, RUNBOOK_TOOL, toolsNamedIn } from './runbook.js';

/** Conclusions of a model, before they are compared with the look-ups. */
export interface Analysis {
  summary: string;
  hypotheses: Hypothesis[];
  ruledOut: { cause: string; citations: ReadCitation[] }[];
  actions: IncidentStep[];
  impact: { now: boolean; what: string };
  falseAlarm: { is: boolean; citations: ReadCitation[] } | null;
  confidence: number;
}

/** Facts about the model's loop of turns. They are missing if no model was asked. */
export type Turns = Pick<
  LoopEnd<{ reason: string }>,
  'calls' | 'trace' | 'iterations' | 'model' | 'reasonCode' | 'finished' | 'notes' | 'remarks'
>;

/**
 * Returns the draft of a model's answer. Claims without a supporting look-up are removed, which lowers the
 * confidence.
 */
export function answeredDraft(
  analysis: Analysis,
  end: Turns,
  input: ReasonInput,
  resolvedAt: string | null = null,
): DraftParts {
  const reads = lookUpsOf(input.evidence, end.calls);
  const strike = new Striking(reads);
  const hypotheses = withConfirmed(analysis, end, reads, incidentIn(input.brief)).map((one) => ({
    ...one,
    citations: strike.out(one.citations),
  }));
  const ruledOut = analysis.ruledOut.map((one) => ({ ...one, citations: strike.out(one.citations) }));
  const ofFalseAlarm = analysis.falseAlarm?.is === true ? strike.out(analysis.falseAlarm.citations) : [];
  const observed = new Set(reads.filter(showsStateNow).map(({ id }) => id));
  // Past cases alone do not show that nothing is wrong now.
  const falseAlarm = ofFalseAlarm.some(({ id }) => observed.has(id)) ? ofFalseAlarm : [];
  const borneOut = hypotheses.filter(({ citations }) => citations.length > 0);
  const dropped = hypotheses
    .filter(({ citations }) => citations.length === 0)
    .map(({ cause }) => inLine(cause));
  const result: IncidentResult = {
    ...reasonBase(input, end, reads, resolvedAt),
    summary: plainText(analysis.summary),
    impact: { now: analysis.impact.now, what: inLine(analysis.impact.what, 500) },
    hypotheses: borneOut.toSorted((a, b) => b.probability - a.probability),
    ruledOut: ruledOut.filter(({ citations }) => citations.length > 0),
    steps: analysis.actions.map(withHazard),
    falseAlarm: falseAlarm.length > 0 ? falseAlarm : null,
    refuted: strike.refuted,
    dropped,
    ...(dropsLikeliest(hypotheses) ? { likeliestDropped: true as const } : {}),
  };
  // The confidence is at most the share of citations that hold, and near zero without a supported cause.
  const confidence = Math.min(analysis.confidence, strike.share());
  const nothing = borneOut.length === 0 && falseAlarm.length === 0;
  return {
    ...resultDraft(result, reads),
    confidence: nothing ? Math.min(confidence, 0.3) : confidence,
    confidenceSource: 'llm',
    method: 'llm',
    remarks: end.remarks,
  };
}

/** Returns the causes of an analysis, with the one that the look-ups confirmed even if the analysis omits it. */
function withConfirmed(
  { hypotheses, confidence }: Analysis,
  { trace }: Turns,
  reads: readonly Read[],
  incident: Incident,
): Hypothesis[] {
  const rivals = rivalsIn(statementsIn(trace));
  const { causes, confirmed } = judgeCauses(rivals, reads, incident);
  const rival = confirmed === null ? undefined : rivals[causes.indexOf(confirmed)];
  return rival === undefined || hypotheses.some((one) => isSameCause(one, rival, reads))
    ? hypotheses
    : [...hypotheses, { cause: rival.cause, citations: rival.citations, probability: confidence }];
}

function dropsLikeliest(hypotheses: readonly Hypothesis[]): boolean {
  const [likeliest] = hypotheses.toSorted((a, b) => b.probability - a.probability);
  return likeliest !== undefined && likeliest.citations.length === 0;
}

/** Removes citations that do not hold, and counts them. */
class Striking {
  readonly refuted: IncidentResult['refuted'] = [];
  private held = 0;

  constructor(private readonly reads: readonly Read[]) {}

  out(citations: readonly ReadCitation[]): ReadCitation[] {
    return citations.filter((citation) => {
      const problem = citationProblem(citation, this.reads);
      if (problem === null) this.held += 1;
      else this.refuted.push({ ...citation, quote: inLine(citation.quote), problem });
      return problem === null;
    });
  }

  /** Share of the citations that hold; 1 if there are none. */
  share(): number {
    const all = this.held + this.refuted.length;
    return all === 0 ? 1 : this.held / all;
  }
}

/** Facts of an investigation that are the same for a conclusion by a model and by rules. */
export function reasonBase(
  input: ReasonInput,
  end: Turns | null,
  reads: readonly Read[],
  resolvedAt: string | null,
) {
  const incident = incidentIn(input.brief);
  const runbook = runbookIn(input.evidence);
  const { gaps, requiredFailed } = reasonGaps(input, reads, incident.truncated);
  const measured = measuredIn(incident, reads);
  return {
    ...(measured === null ? {} : { measured }),
    name: incident.name,
    severity: incident.severity,
    resolvedAt,
    lookUps: reads.map(({ text: _, ...lookUp }): LookUp => lookUp),
    gaps,
    requiredFailed,
    runbook: runbook === null ? null : runbook.used,
    partial: (end?.notes ?? []).map(({ turn, text }) => ({ round: turn, text })),
    trace: end?.trace ?? [],
    iterations: end?.iterations ?? 0,
    model: end?.model ?? null,
    endedBy: end?.reasonCode ?? null,
    stopped: end?.finished?.reason ?? null,
  };
}

/** Returns the failed look-ups, and the required tools that gave no answer at all. */
function reasonGaps({ evidence }: ReasonInput, reads: readonly Read[], truncated: number) {
  const { items, tools = [], toolsOut = [] } = evidence;
  const runbook = runbookIn(evidence);
  const needed = new Set([
    ...[...tools, ...toolsOut].filter(({ required }) => required).map(({ name }) => name),
    ...(runbook === null ? [] : toolsNamedIn(runbook.text)),
  ]);
  const answered = new Set(reads.filter(({ gap }) => gap === null).map(({ tool }) => tool));
  const failed = reads.filter(({ gap }) => gap !== null);
  const out = new Set(toolsOut.map(({ name }) => name));
  const gaveNothing = (name: string) =>
    !answered.has(name) && (out.has(name) || failed.some(({ tool }) => tool === name));
  const runbookGap = items.find(({ toolName, success }) => toolName === RUNBOOK_TOOL && !success);
  return {
    gaps: [
      ...failed.map(({ id, tool, gap }) => `${tool} [${id}] gave no answer: ${inLine(gap ?? '')}`),
      ...toolsOut.map(({ name, why }) => `${name} could not be used: ${inLine(why)}`),
      ...(runbookGap === undefined
        ? []
        : [`The runbook could not be read: ${inLine(runbookGap.message ?? 'no answer')}`]),
      ...(truncated > 0 ? [`The sender left out ${truncated} more alerts of the same group.`] : []),
    ],
    requiredFailed: [...needed].filter(gaveNothing),
  };
}

/** Fields of a draft that its result determines. */
export function resultDraft(
  result: IncidentResult,
  reads: readonly Read[],
): Pick<DraftParts, 'answer' | 'explanation' | 'claims' | 'evidenceUsed' | 'read'> {
  const cited = [...citationsIn(result), ...(result.measured?.citations ?? [])];
  const used = new Set(cited.map(({ id }) => id));
  const known = reads.filter(({ id }) => used.has(id)).map(({ id }) => id);
  return {
    answer: result as unknown as JsonObject,
    explanation: result.summary,
    claims: result.hypotheses.map(({ cause, citations }) => ({
      text: cause,
      citations: citations.map(({ id }) => id),
    })),
    evidenceUsed: known,
    read: reads.flatMap((read) => {
      const { id, tool, toolCallId } = read;
      if (toolCallId === null) return [];
      return [{ id, tool, toolCallId, text: keptText(read, cited, reads.length) }];
    }),
  };
}

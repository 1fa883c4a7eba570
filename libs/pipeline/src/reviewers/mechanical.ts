import { done, type EvidenceItem, type Finding, type Json } from '@casefile/contracts';
import { inLine } from '../plain-text.js';
import { plainFiguresIn, RecordFigures } from '../reading/index.js';
import type { Critique, ReviewInput } from '../stage-parts.js';

const MAX_FINDINGS = 50;
const CITED = /\[(E\d{1,9}(?: ?, ?E\d{1,9}){0,50})\]/g;

/** Renders the line of an item in the prompt. Ages are relative to `receivedAt` of the alert. */
type Shown = (item: EvidenceItem, receivedAt: string) => string;

/**
 * Finds problems that need no model: unknown evidence ids, and figures in a model's explanation that nothing
 * shown to it contains. Findings warn; they do not change the answer.
 * @param shown Renders an evidence item as the prompt shows it.
 */
export function mechanical(shown: Shown): Critique {
  return async (input) => {
    const findings = [...unknownEvidence(input), ...unknownFigures(input, shown)].slice(0, MAX_FINDINGS);
    return done({ ruling: findings.length === 0 ? 'PASS' : 'WARN', findings, reviewer: 'mechanical' });
  };
}

function unknownEvidence({ evidence, draft }: ReviewInput): Finding[] {
  const known = new Set(evidence.items.map((item) => item.id));
  const cited = [...draft.explanation.matchAll(CITED)].flatMap((match) => (match[1] ?? '').split(/ ?, ?/));
  const ids = new Set([...draft.evidenceUsed, ...draft.claims.flatMap((claim) => claim.citations), ...cited]);
  return [...ids]
    .filter((id) => !known.has(id))
    .map((id) => finding('unknown_evidence', id, 'cites evidence that does not exist'));
}

// Code writes the heuristic's explanation from the evidence; its points and total are not claims about the
// evidence.
function unknownFigures(input: ReviewInput, shown: Shown): Finding[] {
  if (input.draft.method === 'heuristic') return [];
  const known = knownFigures(input, shown);
  const prose = input.draft.explanation.replaceAll(CITED, '').replace(/^\s{0,8}\d{1,3}[.)]\s/gm, '');
  return [...new Set(plainFiguresIn(prose))]
    .filter((figure) => !known.has(figure))
    .map((figure) => finding('unknown_figure', figure, 'states a figure that the evidence does not have'));
}

// Figures in everything the model was shown, and counts that follow from it.
function knownFigures({ brief, evidence, draft }: ReviewInput, shown: Shown): RecordFigures {
  const { items } = evidence;
  const texts = [
    brief.text,
    ...brief.notes,
    ...Object.values(brief.entities).flat(),
    ...items.map((item) => shown(item, brief.receivedAt).slice(item.id.length + 2)),
    ...items.flatMap((item) => [item.entityValue, ...stringsOf(item.result)]),
    brief.receivedAt,
  ];
  const counts = [items, items.filter((i) => i.success), items.filter((i) => !i.success)].map(
    (list) => list.length,
  );
  const perTool = [...new Set(items.map((i) => i.toolName))].map(
    (tool) => items.filter((i) => i.toolName === tool).length,
  );
  return new RecordFigures(...texts, ...counts, ...perTool, draft.confidence * 100, draft.confidence, 100);
}

function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? [JSON.stringify(value)] : [];
}

// A repeated finding has the same id.
function finding(code: string, what: string, problem: string): Finding {
  return { id: `${code}:${what}`, code, message: `The draft ${problem}: ${inLine(what, 100)}` };
}

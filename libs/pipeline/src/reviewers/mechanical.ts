import { done, type EvidenceItem, type Finding, type Json } from '@casefile/contracts';
import { inLine } from '../plain-text.js';
import type { Critique, ReviewInput } from '../stage-parts.js';

const MAX_FINDINGS = 50;
/** `47`, `1,250`, `12.5`: a figure outside words, ids, dates and links. */
const FIGURE = /(?<![\p{L}\d.,_/-])\d[\d,]{0,20}(?:\.\d{1,10})?(?![\p{L}\d_/]|-\p{L})/gu;
const ANY_FIGURE = /\d[\d,]{0,20}(?:\.\d{1,10})?/g;
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
  const stated = (prose.match(FIGURE) ?? []).map((figure) => figure.replace(/(?<!,),+$/, ''));
  return [...new Set(stated)]
    .filter((figure) => !known.has(figureValue(figure)))
    .map((figure) => finding('unknown_figure', figure, 'states a figure that the evidence does not have'));
}

// Figures in everything the model was shown, and counts that follow from it.
function knownFigures({ brief, evidence, draft }: ReviewInput, shown: Shown): Set<number> {
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
  const figures = texts.flatMap((text) => text.match(ANY_FIGURE) ?? []).map(figureValue);
  return new Set([...figures, ...counts, ...perTool, draft.confidence * 100, draft.confidence, 100]);
}

function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? [JSON.stringify(value)] : [];
}

function figureValue(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}

// A repeated finding has the same id.
function finding(code: string, what: string, problem: string): Finding {
  return { id: `${code}:${what}`, code, message: `The draft ${problem}: ${inLine(what, 100)}` };
}

import {
  isObject,
  PAST_CASES_TOOL,
  z,
  type Evidence,
  type EvidenceItem,
  type Json,
  type JsonObject,
  type LookUp,
  type ReadCitation,
  type ReadProblem,
  type ToolCall,
} from '@casefile/contracts';
import { isUnspliced } from '@casefile/pipeline/claims/index';
import { holdsWords, isTooShort } from '@casefile/pipeline/reading/index';
import { pastCasesIn } from '@casefile/pipeline/past-cases';
import { firstCodePoints, inLine, plainText } from '@casefile/pipeline/plain-text';
import { RUNBOOK_TOOL } from './runbook.js';

/** Length of an answer in lists and reports, in code points. */
const SAID = 300;
const MOST_PASSAGES = 10;

/** A look-up with its whole answer; empty if the look-up failed. */
export interface Read extends LookUp {
  text: string;
  /** Summary of a long answer by a model, for orientation. The summary cannot be cited. */
  summary?: string;
}

/**
 * Returns all look-ups of an investigation in order: items of the evidence, then calls of the model. The ids
 * of the calls continue those of the evidence. The runbook is no look-up, because it states what to do and
 * not what is. A look-up of past cases that found none is left out.
 */
export function lookUpsOf(evidence: Evidence, calls: readonly ToolCall[]): Read[] {
  const own = evidence.items
    .filter(({ toolName }) => toolName !== RUNBOOK_TOOL)
    .filter(
      (item) => item.toolName !== PAST_CASES_TOOL || item.given === true || pastCasesIn(item).length > 0,
    )
    .map(ofItem);
  return [...own, ...calls.map((call, i) => evidenceLookUp(evidence, call, i))];
}

/** Returns whether a look-up shows the state now. Past cases show what was found then. */
export function showsStateNow({ tool }: Pick<LookUp, 'tool'>): boolean {
  return tool !== PAST_CASES_TOOL;
}

/** Returns the texts in the arguments of a look-up, such as the name of a host. */
export const namesInArgs = ({ args }: Pick<LookUp, 'args'>): string[] =>
  isObject(args) ? Object.values(args).filter((value) => typeof value === 'string') : [];

/** Length of all texts that a draft keeps, and the least length of one, in code points. */
const KEPT = 120_000;
const LEAST_KEPT = 2_000;
/** UTF-16 units kept on either side of a cited quote that lies beyond the kept beginning. */
const AROUND = 300;

/** Returns the text of a look-up as a draft keeps it: its beginning, and the passages that are cited. */
export function keptText({ id, text }: Read, citations: readonly ReadCitation[], reads: number): string {
  const most = Math.max(LEAST_KEPT, Math.floor(KEPT / Math.max(1, reads)));
  if (text.length <= most) return text;
  const beginning = firstCodePoints(text, most);
  const passages = citations
    .filter((citation) => citation.id === id && !beginning.includes(citation.quote))
    .flatMap(({ quote }) => {
      const at = text.indexOf(quote);
      return at < 0 ? [] : [plainText(text.slice(Math.max(0, at - AROUND), at + quote.length + AROUND))];
    });
  return [beginning, ...new Set(passages)].slice(0, 1 + MOST_PASSAGES).join('\n…\n');
}

function ofItem(item: EvidenceItem): Read {
  const { id, toolName: tool, source, at, success, reason, message } = item;
  const gap = success ? null : (message ?? reason ?? 'no answer');
  const args = item.entityValue === '' ? (item.args ?? {}) : { [item.entityType || 'of']: item.entityValue };
  const text = success ? readable(item.result) : '';
  const read = { id, tool, args, toolCallId: null, source, at, said: inLine(text, SAID), gap, text };
  return { ...read, ...summaryIn(item.result) };
}

/** A call of the model as a look-up. @param place Among all of its calls, from 0. */
export function evidenceLookUp({ items }: Evidence, call: ToolCall, place: number): Read {
  const id = `E${items.length + place + 1}`;
  const { tool, args, source, settledAt, createdAt, state } = call;
  const gap = state === 'succeeded' ? null : (call.message ?? call.reasonCode ?? 'no answer in time');
  const text = gap === null ? readable(call.result) : '';
  return {
    id,
    tool,
    args,
    toolCallId: call.id,
    source: source ?? tool,
    at: settledAt ?? createdAt,
    said: inLine(text, SAID),
    gap,
    text,
    ...summaryIn(call.result),
  };
}

function summaryIn(result: Json): { summary?: string } {
  const { summary } = shortenedSchema.safeParse(result).data ?? {};
  return summary === undefined ? {} : { summary };
}

/** Returns a result as models and readers see it. Citations are compared with this form. */
export function readable(result: Json): string {
  if (typeof result === 'string') return result;
  const shortened = shortenedSchema.safeParse(result);
  if (shortened.success) return inShort(shortened.data);
  const { data, text, leftOut } = isObject(result) ? result : {};
  if (Array.isArray(leftOut)) {
    const { leftOut: _, ...rest } = result as JsonObject;
    return `${readable(rest)}\n(left out: ${leftOut.join('; ')})`;
  }
  if (typeof text !== 'string') return JSON.stringify(data ?? result, null, 1);
  // Outside servers answer in text, and some add structured data.
  return data === undefined ? text : `${text}\n${JSON.stringify(data, null, 1)}`;
}

/** A shortened result, whose whole text is stored separately. */
const shortenedSchema = z.object({
  stored: z.object({ id: z.string(), characters: z.number(), pages: z.number() }),
  beginning: z.string(),
  end: z.string(),
  summary: z.string().optional(),
});

function inShort({
  stored: { id, characters, pages },
  beginning,
  end,
}: z.infer<typeof shortenedSchema>): string {
  const whole = `(shortened: ${characters} characters on ${pages} pages; stored_result reads on with the id ${id})`;
  return `${beginning}\n${whole}\n${end}`;
}

/** Returns the problem of a citation, or null if one of the look-ups contains its words. */
export function citationProblem({ id, quote }: ReadCitation, reads: readonly Read[]): ReadProblem | null {
  const read = reads.find((one) => one.id === id);
  if (read === undefined) return 'unknown_id';
  if (read.gap !== null) return 'look_up_failed';
  // A figure is too short for a quote but still meaningful.
  if (isTooShort(quote) && !/\d/.test(quote)) return 'quote_too_short';
  if (!holdsWords(read.text, quote)) return 'quote_not_found';
  return isUnspliced({ text: read.text, quote, sort: 'lines' }) ? null : 'quote_spliced';
}

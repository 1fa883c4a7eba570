import {
  isObject,
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
import { holdsQuote, isTooShort } from '../../find-quote.js';
import { inLine } from '../../plain-text.js';
import { RUNBOOK_TOOL } from './runbook.js';

/** Of an answer in lists and reports, in code points. */
const SAID = 300;

/** A look-up with the whole of what it said; empty where it is a gap. */
export interface Read extends LookUp {
  text: string;
  /** What a model says of a long answer: to find one's way in it, and no words that could be cited. */
  summary?: string;
}

/**
 * Everything that was looked up in an investigation, in its order: the items of the evidence, then the calls of the model.
 * Their ids go on from those of the evidence. The runbook is no look-up: it says what to do and not what is.
 */
export function lookUpsOf(evidence: Evidence, calls: readonly ToolCall[]): Read[] {
  const own = evidence.items.filter(({ toolName }) => toolName !== RUNBOOK_TOOL).map(ofItem);
  return [...own, ...calls.map((call, i) => lookUpOf(evidence, call, i))];
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
export function lookUpOf({ items }: Evidence, call: ToolCall, place: number): Read {
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

/** A result as a model and a reader are shown it, and as citations are held against it. */
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
  // Outside servers answer in words, with data beside them where they have any.
  return data === undefined ? text : `${text}\n${JSON.stringify(data, null, 1)}`;
}

/** A result of which the record has the whole elsewhere. */
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

/** What is wrong with a citation; null: something that was looked up has these words. S2-44. */
export function problemOf({ id, quote }: ReadCitation, reads: readonly Read[]): ReadProblem | null {
  const read = reads.find((one) => one.id === id);
  if (read === undefined) return 'unknown_id';
  if (read.gap !== null) return 'look_up_failed';
  // A figure is short, and says something all the same.
  if (isTooShort(quote) && !/\d/.test(quote)) return 'quote_too_short';
  return holdsQuote(withoutMarkup(read.text), withoutMarkup(quote)) ? null : 'quote_not_found';
}

/** Signs of JSON are copied with or without: they are no words. */
function withoutMarkup(text: string): string {
  return text.replace(/"[ \t]{0,8}:[ \t]{0,8}/g, ': ').replace(/["{}[\]]|,(?!\d)/g, ' ');
}

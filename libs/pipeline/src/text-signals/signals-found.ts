import {
  z,
  type Brief,
  type EvidenceItem,
  type JsonObject,
  type TextSignals,
  type ToolRequest,
} from '@casefile/contracts';
import { inLine, plainText } from '../plain-text.js';
import { LEGITIMACY_KINDS, SIGNAL_KINDS } from './kinds.js';

export const TEXT_SIGNALS = 'text_signals';
/** Number of UTF-16 units of a text that the tool gets, and how many of these are from its end. */
const GIVEN = 8_000;
const TAIL = 2_000;
/** Maximum number of signs that a sentence names, and of UTF-16 units of a model's words that it quotes. */
const NAMED = 3;
/** Score of the message model from which it is shown to readers, and from which it adds weight. */
export const LIKE_SCAMS_FROM = 0.75;
const SAID_LENGTH = 120;
/** Maximum number of text parts that a line quotes per sign. */
const QUOTED = 2;

const signalsSchema = z
  .array(
    z.object({
      kind: z.string(),
      words: z.array(z.string()).default([]),
      language: z.string().default('und'),
    }),
  )
  .default([]);
const resultSchema = z.object({
  signals: signalsSchema,
  notes: signalsSchema,
  legitimacy: signalsSchema,
  count: z.number().int().nonnegative().catch(0),
  weight: z.number().nonnegative().catch(0),
  isRead: z.boolean().catch(true),
  asks: z.boolean().catch(true),
  message_model: z
    .object({ score: z.number().min(0).max(1), words: z.array(z.string()).default([]) })
    .nullable()
    .catch(null)
    .default(null),
  /** Default for results of releases before the message model. */
  likeness: z.number().min(0).max(1).nullable().catch(null).default(null),
  nearestPatterns: z
    .array(
      z.object({
        similarity: z.number(),
        level: z.string(),
        title: z.string().default(''),
        category: z.string().default(''),
      }),
    )
    .default([]),
});
/** Findings of the tool in a text. Missing fields of a result from outside are empty. */
export type SignalsFound = z.infer<typeof resultSchema>;
type Signal = TextSignals['signals'][number];

/**
 * Returns the request that reads a brief's text; empty if it has no text.
 * @param patterns known patterns to report as well
 */
export function readTextRequest({ text: whole, language }: Brief, patterns?: number): ToolRequest[] {
  const text = textGiven(whole);
  if (text === '') return [];
  const args: JsonObject = { text, language: language?.code ?? 'und' };
  return [{ tool: TEXT_SIGNALS, args: patterns === undefined ? args : { ...args, patterns } }];
}

// Of a long text, the beginning and the end are sent, so that padding cannot hide the request.
function textGiven(text: string): string {
  const shortened = text.length <= GIVEN ? text : `${text.slice(0, GIVEN - TAIL)}\n${text.slice(-TAIL)}`;
  return plainText(shortened).trim();
}

/** Returns the findings of a successful item of the tool; null for another tool or format. */
export function signalsFound({ toolName, success, result }: EvidenceItem): SignalsFound | null {
  if (toolName !== TEXT_SIGNALS || !success) return null;
  return resultSchema.safeParse(result).data ?? null;
}

/** Returns a sign in words, with the parts of the text that show it: `asks for money ("pay now")`. */
export function signInWords({ kind, words }: Pick<Signal, 'kind' | 'words'>): string {
  const known: Record<string, string> = { ...SIGNAL_KINDS, ...LEGITIMACY_KINDS };
  const said = Object.hasOwn(known, kind) ? known[kind] : inLine(kind.replaceAll('_', ' '), 60);
  const quoted = words.slice(0, QUOTED).map((part) => `"${inLine(part, 80)}"`);
  return quoted.length === 0 ? String(said) : `${said} (${quoted.join(', ')})`;
}

/** Findings that a text is a receipt or a one-time code, and requests nothing. */
const RECEIPT_OR_CODE = new Set(['receipt', 'code']);

/** Returns whether a text is a receipt or a one-time code that requests nothing and shows no sign of a scam. */
export function isReceiptOrCode({
  signals,
  legitimacy,
}: Pick<SignalsFound, 'signals' | 'legitimacy'>): boolean {
  return signals.length === 0 && legitimacy.some(({ kind }) => RECEIPT_OR_CODE.has(kind));
}

/**
 * Returns whether similarity of this level to a known pattern counts. A receipt or code shares words with the scams that
 * copy it, so only the highest level does.
 */
export const countsAsClose = (found: Pick<SignalsFound, 'signals' | 'legitimacy'>, level: string): boolean =>
  level === 'HIGH' || (level === 'MEDIUM' && !isReceiptOrCode(found));

/**
 * Returns the signs with their number, the strongest first: `4 signs of a scam: asks for money ("pay now");
 * ... and 1 more`. null: there are none.
 */
export function signsCounted({ signals, notes }: Pick<SignalsFound, 'signals' | 'notes'>): string | null {
  const signs = [...signals, ...notes].map(signInWords);
  if (signs.length === 0) return null;
  const more = signs.length > NAMED ? ` and ${signs.length - NAMED} more` : '';
  return `${signs.length} ${signs.length === 1 ? 'sign' : 'signs'} of a scam: ${signs.slice(0, NAMED).join('; ')}${more}`;
}

/**
 * Returns phrases that speak against calling a text harmless: its signs, the nearest pattern, the message
 * model.
 */
export function againstIn(signals: SignalsFound): string[] {
  const signs = signsCounted(signals);
  const near = signals.nearestPatterns.find(({ level }) => level === 'HIGH');
  const score = signals.message_model?.score ?? 0;
  return [
    ...(signs === null ? [] : [signs]),
    ...(near === undefined ? [] : [`close to a known scam pattern: ${patternInWords(near)}`]),
    ...(score < LIKE_SCAMS_FROM ? [] : [`words like those of known scams (${score.toFixed(2)} of 1)`]),
  ];
}

/**
 * Returns a sentence that contrasts a model's explanation of a harmless text with the findings for a scam.
 */
export function contradictionOf(explanation: string, against: readonly string[]): string {
  return `The model says that it is harmless ("${inLine(explanation, SAID_LENGTH)}"), but the evidence speaks against that: ${against.join('; ')}.`;
}

/** Returns the findings in a text as one line. */
export function signalsInWords({
  signals,
  notes,
  legitimacy,
  nearestPatterns,
  isRead,
}: SignalsFound): string {
  const near = nearestPatterns.filter(({ level }) => level !== 'LOW');
  return [
    ...(isRead ? [] : ['the text is in a language that the rules do not read']),
    signals.length === 0
      ? 'no sign of a scam in the text itself that counts'
      : `signs of a scam in the text itself: ${signals.map(signInWords).join('; ')}`,
    ...(notes.length === 0 ? [] : [`weak or outweighed: ${notes.map(signInWords).join('; ')}`]),
    ...(legitimacy.length === 0 ? [] : [`for the sender: ${legitimacy.map(signInWords).join('; ')}`]),
    ...(near.length === 0 ? [] : [`close to known scam patterns: ${near.map(patternInWords).join('; ')}`]),
  ].join('. ');
}

function patternInWords({
  title,
  category,
  level,
  similarity,
}: SignalsFound['nearestPatterns'][number]): string {
  return `"${inLine(title, 120)}" (${inLine(category, 60)}, ${inLine(level, 10)} ${similarity.toFixed(2)})`;
}

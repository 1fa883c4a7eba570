import {
  isObject,
  MOST_PAST_CASES,
  PAST_CASE_BOUNDS,
  PAST_CASES_TOOL,
  shownPastCaseSchema,
  z,
  type Brief,
  type CaseLikeness,
  type EvidenceItem,
  type JsonObject,
  type RunSettings,
  type ShownPastCase,
  type ToolRequest,
} from '@casefile/contracts';
import { firstCodePoints, inLine } from './plain-text.js';

/** Longest text of a look-up in a line of evidence: three cases with their notes. */
const MOST_TEXT = 3_000;

type Inert = (text: string, max?: number) => string;

/** Most similar past cases that are evidence of a case; 0: none. Runs of earlier releases have none. */
export const pastCasesOption = z.number().int().min(0).max(MOST_PAST_CASES).default(0);

/** Words by which cases of a kind are compared, and the case in a line; null: it is similar to no other. */
export type PastCaseRule = (confirmed: {
  caseId: string;
  brief: Brief;
  evidence: readonly EvidenceItem[];
}) => (CaseLikeness & { title: string }) | null;

/** Returns the words in the form in which they are compared: on one line, each once, within their bounds. */
export function boundedLikeness({ keys, terms }: CaseLikeness): CaseLikeness {
  const bounded = (words: readonly string[], most: number) => {
    const each = words.map((word) => firstCodePoints(inLine(word), PAST_CASE_BOUNDS.characters / 2));
    return [...new Set(each.filter((word) => word !== ''))].slice(0, most);
  };
  return { keys: bounded(keys, PAST_CASE_BOUNDS.keys), terms: bounded(terms, PAST_CASE_BOUNDS.terms) };
}

/**
 * Returns the look-up of similar past cases; none if the kind's option asks for none, as in runs of earlier
 * releases.
 * @param limit Most past cases that are evidence; 0: none.
 */
export function pastCaseRequests(
  limit: number,
  likeness: CaseLikeness | null,
  { playbook }: Pick<RunSettings, 'playbook'>,
): ToolRequest[] {
  if (limit === 0 || likeness === null) return [];
  const { keys, terms } = boundedLikeness(likeness);
  if (keys.length === 0 || terms.length === 0) return [];
  return [{ tool: PAST_CASES_TOOL, args: { playbook, keys, terms, limit } }];
}

/** Fields by which the look-up of past cases is recognised. */
type PastCasesItem = Pick<EvidenceItem, 'toolName' | 'success' | 'result' | 'given'>;

// A sender cannot state what a person confirmed here.
const resultOf = ({ toolName, success, result, given }: PastCasesItem): JsonObject | null =>
  toolName === PAST_CASES_TOOL && success && given !== true && isObject(result)
    ? (result as JsonObject)
    : null;

/** Returns the past cases in the result of their look-up; none for every other item, also of a sender. */
export function pastCasesIn(item: PastCasesItem): ShownPastCase[] {
  const cases = resultOf(item)?.['cases'] ?? [];
  return shownPastCaseSchema.array().safeParse(cases).data ?? [];
}

/** Returns the text of a look-up of past cases as models and reports see it; null: another look-up. */
export function pastCasesText(item: PastCasesItem): string | null {
  const text = resultOf(item)?.['text'];
  return typeof text === 'string' ? inLine(text, MOST_TEXT) : null;
}

/** Returns the section of a report that lists past cases, each with a link to its case; empty: there are none. */
export function pastCaseSection(items: readonly EvidenceItem[], inert: Inert): string {
  const lines = pastCaseLines(items, inert);
  return lines.length === 0 ? '' : `## Similar past cases\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function pastCaseLines(items: readonly EvidenceItem[], inert: Inert): string[] {
  return items.flatMap((item) =>
    pastCasesIn(item).map(({ caseId, confirmedAt, agreed, outcome, title, note }) => {
      const decided = Object.entries(outcome).map(
        ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const how = agreed ? 'agreed with the verdict' : 'corrected the verdict';
      const said = note === null ? '' : `. Note: ${inert(note, 500)}`;
      return `[${caseId}](/cases/${caseId}) \\[${inert(item.id, 32)}\\]: ${inert(title, 300)}. On ${inert(confirmedAt.slice(0, 10), 10)} a person ${how}: ${inert(decided.join(', '), 300)}${said}`;
    }),
  );
}

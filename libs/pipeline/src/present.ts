import {
  type DeclaredDisplay,
  type JsonObject,
  type Json,
  type Ladder,
  type Presentation,
  type RunSettings,
  type Scale,
  type Verdict,
  type z,
  displaySchema,
  JUDGED_PARTS,
  firstTextPath,
  formFields,
  isOpenSchema,
  payloadJsonSchema,
  schemaLabels,
  type DeclaredSection,
  type ShownDisplay,
} from '@casefile/contracts';
import type { Harms } from './harms.js';
import type { Notice, NoticeInput } from './notice.js';
import { firstCodePoints, inLine } from './plain-text.js';

/** Rules by which a playbook displays its verdicts. */
export interface Presenting {
  /** The verdict in the words of its reader. */
  word(verdict: Pick<Verdict, 'outcome' | 'disposition'>): string;
  /** Returns the reasoner's answer in a word or two. */
  answer(outcome: JsonObject): string;
  /**
   * Returns a word or two that replace an answer that is unproven and needs review. Its confidence and step
   * do not apply to the verdict and are not shown. null, or absent: the answer is shown.
   */
  unproven?(verdict: Pick<Verdict, 'outcome' | 'disposition' | 'method'>): string | null;
  /** What a wrong verdict costs in each direction. The documentation page shows it. Default: not stated. */
  harms?: Harms;
  /** One sentence on how the decision rule derives the verdict from the answer. */
  rule: string;
  /** Deciding fields of an outcome, which a reviewer may correct. Absent: a reviewer can only agree. */
  judged?: z.ZodObject;
  /**
   * Further texts that its outcomes state as codes and that are never words of an alert. Every role reads them, like the
   * values of the deciding fields. Default: none.
   */
  codes?: readonly string[];
  /**
   * Returns what follows from an outcome whose deciding fields a person set. null, or absent: the disposition
   * stays.
   */
  impliedDisposition?(outcome: JsonObject): Verdict['disposition'] | null;
  /**
   * Returns what in the outcome of a run contradicts the answer of a person, as a sentence; null: nothing. Absent: no
   * answer contradicts an outcome.
   */
  contradiction?(outcome: JsonObject, answer: JsonObject): string | null;
  /** Returns further parts of an outcome that receivers act on, besides the deciding fields. Absent: none. */
  actedOn?(outcome: JsonObject): Json;
  /** Name of the kind for people. Default: its name in words. */
  title?: string;
  /**
   * Schema of the payload: the fields of the form on the page New case, and the fields that `display` may name. Default: the
   * form has one field for the payload as JSON.
   */
  payload?: z.ZodType;
  /** How a case is named, and the sections of its page. Default: named by its first text, without sections. */
  display?: DeclaredDisplay;
  /** Short fields of the outcome that are displayed, with their labels. */
  labels: Readonly<Record<string, string>>;
  ladder?(outcome: JsonObject): Ladder | null;
  /** Returns figures with the bounds of the run's settings, and only bounds that decided. */
  scales(verdict: Verdict, settings: RunSettings): Scale[];
  /** Returns parts of the notice that the kind knows better than the general one. */
  notice?(input: NoticeInput): Partial<Notice>;
  /** Name of a specific view. Default: the common view. */
  view?: string;
  /** Names of the agents that ask a model, by stage. Default: the names of the stages. */
  agents?: Readonly<Record<string, string>>;
  /** Whether its alerts may ask for a clarification, by `clarify` in their payload. Default: no. */
  clarifies?: true;
}

const VALUE_SHOWN = 120;

/** Returns a verdict as displayed to its reader. */
export function present(presenting: Presenting, verdict: Verdict, settings: RunSettings): Presentation {
  const { outcome, reasons } = verdict;
  const { summary } = outcome;
  const unproven = presenting.unproven?.(verdict) ?? null;
  return {
    word: presenting.word(verdict),
    answer: unproven ?? presenting.answer(outcome),
    confidenceApplies: unproven === null,
    headline: inLine(reasons[0] ?? '', 500),
    summary: typeof summary === 'string' ? inLine(summary, 400) : '',
    ladder: unproven === null ? (presenting.ladder?.(outcome) ?? null) : null,
    scales: presenting.scales(verdict, settings),
    facts: Object.entries(presenting.labels).flatMap(([name, label]) => {
      const value = shown(Object.hasOwn(outcome, name) ? outcome[name] : undefined);
      return value === null ? [] : [{ label, value }];
    }),
    rule: presenting.rule,
    view: presenting.view ?? null,
  };
}

function shown(value: Json | undefined): string | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== ''
    ? firstCodePoints(inLine(value, VALUE_SHOWN), VALUE_SHOWN)
    : null;
}

/** Returns the possible values of a field in their order, with the chosen one marked; null: the outcome has none of them. */
export function ladderOf(
  name: string,
  steps: readonly (readonly [value: string, leadsTo: string])[],
  taken: Json | undefined,
): Ladder | null {
  if (typeof taken !== 'string') return null;
  return {
    name,
    steps: steps.map(([value, leadsTo]) => ({
      label: wordOf(value),
      leadsTo,
      isTaken: value === taken,
    })),
  };
}

/** The confidence of a verdict on its scale, without bounds. */
export function confidenceScale({ confidence }: Pick<Verdict, 'confidence'>): Scale {
  return {
    name: 'Confidence',
    value: confidence,
    max: 1,
    bands: [],
    text: `${Math.round(confidence * 100)} %`,
  };
}

/**
 * Returns the scale with bounds if its value is in the band of the outcome: bounds that did not decide are
 * not shown.
 */
export function withBands(scale: Scale, bands: Scale['bands'], taken: Json | undefined): Scale {
  const band = bands.findLast(({ from }) => scale.value >= from)?.label;
  return band !== undefined && band === taken ? { ...scale, bands } : scale;
}

/** Returns a field of an outcome as a word or two; `-` if it has none. */
export function wordOf(value: Json | undefined): string {
  return typeof value === 'string' && value !== ''
    ? inLine(value, 20).replaceAll(/[_-]/g, ' ').toLowerCase()
    : '-';
}

/** Returns the disposition that follows from the value of one field of an outcome. */
export function byField(
  field: string,
  dispositions: Readonly<Record<string, Verdict['disposition']>>,
): NonNullable<Presenting['impliedDisposition']> {
  return (outcome) => {
    const value = outcome[field];
    return typeof value === 'string' && Object.hasOwn(dispositions, value) ? dispositions[value]! : null;
  };
}

/**
 * Returns a verdict with the deciding fields that a person set. The disposition is derived from them again,
 * and the verdict is no longer degraded. The person's reason comes first.
 */
export function correctedVerdict(
  presenting: Pick<Presenting, 'impliedDisposition'>,
  verdict: Verdict,
  answer: JsonObject,
  decidedBy: NonNullable<Verdict['decidedBy']>,
): Verdict {
  const outcome = { ...verdict.outcome, ...answer };
  const fields = Object.entries(answer).map(([name, value]) => `${name} ${String(value)}`);
  const reason = decidedBy.reason === '' ? '' : `: ${decidedBy.reason}`;
  return {
    ...verdict,
    outcome,
    disposition: presenting.impliedDisposition?.(outcome) ?? verdict.disposition,
    reasons: [
      `${decidedBy.person} decided ${fields.join(', ')}${reason}`,
      ...(decidedBy.contradicts === undefined
        ? []
        : [`This contradicts the record of the run: ${decidedBy.contradicts}`]),
      ...verdict.reasons,
    ],
    degraded: false,
    degradedBy: [],
    degradedNote: '',
    decidedBy,
  };
}

/** What a kind declares about the names and pages of its cases. */
export type DisplayedKind = Pick<Presenting, 'payload' | 'display'>;

const ANY_TEXT = { label: 'Text', help: 'The message, mail or alert as it was received.' };

/** Displays that were computed: each alert needs the one of its kind. */
const displays = new WeakMap<DisplayedKind, ShownDisplay>();

/** Returns how the cases of a kind are named, submitted and shown, with all defaults. */
export function kindDisplay(presenting: DisplayedKind): ShownDisplay {
  const known = displays.get(presenting);
  if (known !== undefined) return known;
  const display = computed(presenting);
  displays.set(presenting, display);
  return display;
}

function computed({ payload, display = {} }: DisplayedKind): ShownDisplay {
  const schema: JsonObject | null = payload === undefined ? null : payloadJsonSchema(payload);
  const {
    text = ANY_TEXT,
    sections = [],
    judging = [...JUDGED_PARTS],
    ...declared
  } = displaySchema.parse(display);
  const first = schema === null ? null : firstTextPath(schema);
  const title = declared.title ?? ['text', ...(first === null ? [] : [first])];
  const labels = schema === null ? {} : schemaLabels(schema);
  return {
    title,
    line: declared.line ?? null,
    text: text === false ? null : text,
    sections: sections.map((section) => withLabels(section, labels)),
    judging,
    form: schema === null ? [] : formFields(schema),
    labels,
    isOpen: schema === null || isOpenSchema(schema),
  };
}

type Labelled = string | { path: string; label: string };

/** Returns the section with the titles of the schema as labels of its values. */
function withLabels(section: DeclaredSection, labels: Readonly<Record<string, string>>): DeclaredSection {
  const label = (one: Labelled, within = ''): Labelled => {
    if (typeof one !== 'string') return one;
    const title = labels[`${within}${one}`.replace(/^payload\./, '')];
    return title === undefined ? one : { path: one, label: title };
  };
  if (section.show === 'facts') return { ...section, of: section.of.map((one) => label(one)) };
  if (section.show === 'table')
    return { ...section, columns: section.columns.map((one) => label(one, `${section.of}.`)) };
  if (section.show === 'chart')
    return { ...section, values: section.values.map((one) => label(one, `${section.of}.`)) };
  return section;
}

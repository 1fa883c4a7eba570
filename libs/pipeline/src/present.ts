import type {
  JsonObject,
  Json,
  Ladder,
  Presentation,
  RunSettings,
  Scale,
  Verdict,
  z,
} from '@casefile/contracts';
import { firstCodePoints, inLine } from './plain-text.js';

/** What a kind of case says of how its verdicts are shown. */
export interface Presenting {
  /** The verdict in the words of its reader. */
  word(verdict: Pick<Verdict, 'outcome' | 'disposition'>): string;
  /** What the reasoner answered, in a word or two. */
  answer(outcome: JsonObject): string;
  /**
   * A word or two in place of the answer where nothing has proved it and a person has to look: its confidence and its step then
   * say nothing of the verdict, and are not shown with it. null, or absent: the answer stands.
   */
  unproven?(verdict: Pick<Verdict, 'outcome' | 'disposition' | 'method'>): string | null;
  /** One sentence: how its decision rule goes from the answer to the verdict. */
  rule: string;
  /** The deciding fields of an outcome with their values: what a reviewer may correct. Absent: a reviewer can only agree. */
  judged?: z.ZodObject;
  /** Short fields of the outcome that a reader is shown, with what each is called. */
  labels: Readonly<Record<string, string>>;
  ladder?(outcome: JsonObject): Ladder | null;
  /** Figures with the bounds of the run's own settings, and bounds only where they decided. */
  scales(verdict: Verdict, settings: RunSettings): Scale[];
  /** Name of a view of its own; absent: the common one. */
  view?: string;
  /** What those are called who ask a model at a stage, by its name; absent: as the stages. */
  agents?: Readonly<Record<string, string>>;
  /** May its alerts ask for a clarification, by `clarify` in their payload? Absent: no. */
  clarifies?: true;
}

const VALUE_SHOWN = 120;

/** A verdict as its reader is shown it. */
export function present(presenting: Presenting, verdict: Verdict, settings: RunSettings): Presentation {
  const { outcome, reasons } = verdict;
  const { summary } = outcome;
  const unproven = presenting.unproven?.(verdict) ?? null;
  return {
    word: presenting.word(verdict),
    answer: unproven ?? presenting.answer(outcome),
    confidenceApplies: unproven === null,
    headline: inLine(reasons[0] ?? '', 500),
    summary: typeof summary === 'string' ? inLine(summary, 200) : '',
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

/** The steps of an answer with the one that was taken; null where the outcome names none. */
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

/** The scale with bounds, where its value is in the band that the outcome names: bounds that did not decide are not shown. */
export function withBands(scale: Scale, bands: Scale['bands'], taken: Json | undefined): Scale {
  const band = bands.findLast(({ from }) => scale.value >= from)?.label;
  return band !== undefined && band === taken ? { ...scale, bands } : scale;
}

/** A field of an outcome as a word or two; `-` where it has none. */
export function wordOf(value: Json | undefined): string {
  return typeof value === 'string' && value !== ''
    ? inLine(value, 20).replaceAll(/[_-]/g, ' ').toLowerCase()
    : '-';
}

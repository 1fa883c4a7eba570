import {
  displaySchema,
  JUDGED_PARTS,
  firstTextPath,
  formFields,
  isOpenSchema,
  payloadJsonSchema,
  schemaLabels,
  type DeclaredSection,
  type JsonObject,
  type ShownDisplay,
} from '@casefile/contracts';
import type { Presenting } from './present.js';

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

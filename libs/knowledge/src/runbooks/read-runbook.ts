import { createHash } from 'node:crypto';
import {
  CasefileError,
  fieldProblems,
  InvalidInput,
  isObject,
  nestsDeeper,
  z,
  type FieldProblem,
} from '@casefile/contracts';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { idOfFile } from '../files.js';
import { firstHeading, MAX_RUNBOOK_TEXT, type RunbookInput } from './runbook-base.js';

/** A Markdown file or page as it was read. */
export interface RunbookFile {
  /** Its name below the folder or repository it is in; of a page, the last part of its address. */
  name: string;
  bytes: Uint8Array;
  /** Where people find it: a path or an address. */
  source: string;
  /** Under which people read it and alerts name it; null: a file alone. */
  address: string | null;
  /** The commit it was read at, where it came from Git. */
  commit?: string;
}

/** Characters of front matter that are parsed as YAML. */
const MOST_FRONT_MATTER = 20_000;
const MOST_DEPTH = 20;
const BOM = '\ufeff';

const oneOrMore = z
  .union([z.string(), z.array(z.string())], { error: 'expected a text or a list of texts' })
  .transform((given) => (typeof given === 'string' ? [given] : given))
  .pipe(z.array(z.string().trim().min(1, 'expected a text').max(500)).max(200));
const labelValue = z
  .union([z.string(), z.number(), z.boolean()], { error: 'expected a text' })
  .transform(String)
  .pipe(z.string().max(2_000));
/** Front matter has keys for other programs too: those are let be. */
const frontMatterSchema = z.object({
  title: z.string({ error: 'expected a text' }).trim().min(1, 'expected a text').max(300).optional(),
  alerts: oneOrMore.default([]),
  labels: z
    .record(z.string().min(1).max(500), labelValue, { error: 'expected labels and their values' })
    .default({}),
});

/**
 * A runbook of a Markdown file, with what its front matter says: `title`, `alerts`, `labels`. Without a title it is called as
 * its first heading, else as its file. @throws InvalidInput that names every wrong field; CasefileError `unknown_encoding`.
 */
export function readRunbook(file: RunbookFile): RunbookInput {
  const digest = createHash('sha256').update(file.bytes).digest('hex');
  const whole = textOf(file);
  const { yaml, text } = withoutFrontMatter(whole);
  const problems: FieldProblem[] = [];
  if (text.trim() === '') problems.push({ path: '', message: 'expected a text' });
  if (text.length > MAX_RUNBOOK_TEXT)
    problems.push({
      path: '',
      message: `expected at most ${MAX_RUNBOOK_TEXT} characters, and it has ${text.length}`,
    });
  const name = idOfFile(file.name);
  if (name === '')
    problems.push({ path: 'name', message: 'expected letters or digits in the name of the file' });
  const parsed = frontMatterSchema.safeParse(yaml === null ? {} : frontMatter(yaml, problems));
  if (!parsed.success) problems.push(...fieldProblems(parsed.error));
  if (!parsed.success || problems.length > 0) throw new InvalidInput(problems, 'runbook');
  const { title, alerts, labels } = parsed.data;
  return {
    name,
    title: title ?? firstHeading(text) ?? file.name,
    text: text.trim(),
    digest,
    pin: file.commit === undefined ? `sha256:${digest}` : `git:${file.commit}`,
    source: file.source,
    address: file.address,
    alerts,
    labels,
  };
}

function textOf({ bytes }: RunbookFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CasefileError('unknown_encoding', 'it is not a text in UTF-8', { cause: error });
  }
}

/** What stands between two lines of `---` at the very beginning; without the second one there is no front matter. */
export function withoutFrontMatter(whole: string): { yaml: string | null; text: string } {
  const text = (whole.startsWith(BOM) ? whole.slice(1) : whole).replaceAll('\r\n', '\n');
  if (!text.startsWith('---\n')) return { yaml: null, text };
  const end = `${text}\n`.indexOf('\n---\n', 3);
  if (end === -1) return { yaml: null, text };
  return { yaml: text.slice(4, Math.max(4, end)), text: text.slice(end + 5) };
}

function frontMatter(yaml: string, problems: FieldProblem[]): unknown {
  const at = 'front matter';
  if (yaml.length > MOST_FRONT_MATTER) {
    problems.push({ path: at, message: `expected at most ${MOST_FRONT_MATTER} characters` });
    return {};
  }
  if (nestsDeeper(yaml, MOST_DEPTH)) {
    problems.push({ path: at, message: 'nests too deep' });
    return {};
  }
  try {
    // Without its own words for places: it counts the lines anew for each error, which is quadratic in what is all errors.
    const parsed: unknown =
      parseYaml(yaml, { maxAliasCount: 10, logLevel: 'error', prettyErrors: false }) ?? {};
    if (isObject(parsed)) return parsed;
    problems.push({ path: at, message: 'expected keys and values, as in `title: Full disk`' });
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    // Of the file, whose first line is a mark.
    const line = error instanceof YAMLParseError ? yaml.slice(0, error.pos[0]).split('\n').length + 1 : null;
    const where = line === null ? '' : ` in line ${line}`;
    problems.push({ path: at, message: `is not YAML${where}: ${why.slice(0, 200)}` });
  }
  return {};
}

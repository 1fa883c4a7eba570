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

/** A Markdown file or page as read. */
export interface RunbookFile {
  /** Its path within the folder or repository; for a page, the last part of its URL. */
  name: string;
  bytes: Uint8Array;
  /** Location shown to people: a path or a URL. */
  source: string;
  /** URL for people and in alerts; null: a file without URL. */
  address: string | null;
  /** Commit that was read, if the source is a Git repository. */
  commit?: string;
}

/** Most characters of front matter parsed as YAML. */
const MOST_FRONT_MATTER = 20_000;
const MOST_DEPTH = 20;
const BOM = '\ufeff';

const oneOrMore = z
  .union([z.string(), z.array(z.string())], { error: 'expected a text or a list of texts' })
  .transform((value) => (typeof value === 'string' ? [value] : value))
  .pipe(z.array(z.string().trim().min(1, 'expected a text').max(500)).max(200));
const labelValue = z
  .union([z.string(), z.number(), z.boolean()], { error: 'expected a text' })
  .transform(String)
  .pipe(z.string().max(2_000));
/** Front matter also has keys for other programs, which are ignored. */
const frontMatterSchema = z.object({
  title: z.string({ error: 'expected a text' }).trim().min(1, 'expected a text').max(300).optional(),
  alerts: oneOrMore.default([]),
  labels: z
    .record(z.string().min(1).max(500), labelValue, { error: 'expected labels and their values' })
    .default({}),
});

/**
 * Reads a runbook from a Markdown file with the front matter `title`, `alerts`, `labels`. Default title: the
 * first heading, else the file name. @throws InvalidInput that names every wrong field; CasefileError
 * `unknown_encoding`.
 */
export function readRunbook(file: RunbookFile): RunbookInput {
  const digest = createHash('sha256').update(file.bytes).digest('hex');
  const whole = runbookFileText(file);
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

function runbookFileText({ bytes }: RunbookFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CasefileError('unknown_encoding', 'it is not a text in UTF-8', { cause: error });
  }
}

/**
 * Separates front matter between two lines of `---` at the beginning. Without the second line there is none.
 */
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
    // Without formatted positions: the YAML library recounts the lines for each error, which is quadratic.
    const parsed: unknown =
      parseYaml(yaml, { maxAliasCount: 10, logLevel: 'error', prettyErrors: false }) ?? {};
    if (isObject(parsed)) return parsed;
    problems.push({ path: at, message: 'expected keys and values, as in `title: Full disk`' });
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    // Line within the file; the first line of the file is the mark.
    const line = error instanceof YAMLParseError ? yaml.slice(0, error.pos[0]).split('\n').length + 1 : null;
    const where = line === null ? '' : ` in line ${line}`;
    problems.push({ path: at, message: `is not YAML${where}: ${why.slice(0, 200)}` });
  }
  return {};
}

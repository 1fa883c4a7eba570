import {
  CasefileError,
  InvalidInput,
  POLICY_FORMATS,
  z,
  parseInput,
  type FieldProblem,
  POLICY_IMPORT,
} from '@casefile/contracts';
import { whatIsWrong } from '../entries/read-entries.js';
import { idOfFile } from '../files.js';
import type { BoundedSource } from '../import-file.js';
import type { Importer, ImportNews, ImportPorts } from '../importer.js';
import type { ImportedPolicy, PolicyFile } from './import-policy-file.js';
import { summarise, type SummaryResult } from './summaries.js';
import type { SummaryModel } from './summary-model.js';

const optionsSchema = z.object({
  id: z.string().optional(),
  title: z.string().optional(),
  language: z.string().optional(),
  format: z.enum(POLICY_FORMATS).optional(),
  confidential: z.array(z.string()).optional(),
  summaries: z.enum(['model', 'extract']).optional(),
});
type PolicyCommandOptions = z.infer<typeof optionsSchema>;

/** `casefile import policy FILE|FOLDER` */
export const policyImporter: Importer = {
  name: POLICY_IMPORT.name,
  prepare(source, input) {
    const options = parseInput(optionsSchema, input, 'command');
    const files = namedFiles(policyFiles(source), options);
    return (ports) =>
      importAll(files, options, { ...ports, summaries: summaryWriter(ports.summaries, options) });
  },
};

function namedFiles(files: PolicyFile[], { id, title }: PolicyCommandOptions): PolicyFile[] {
  if (files.length > 1 && (id !== undefined || title !== undefined)) {
    const path = id === undefined ? '--title' : '--id';
    throw new InvalidInput([{ path, message: `is for one file, and these are ${files.length}` }], 'command');
  }
  return files.map((file) => ({ ...file, policyId: id ?? file.policyId }));
}

// With `byDefault: false` (the simulator) a model is used only if the option `summaries` asks for it.
function summaryWriter(model: SummaryModel | null, options: PolicyCommandOptions): SummaryModel | null {
  if (options.summaries === 'extract') return null;
  if (options.summaries === undefined) return model?.byDefault === true ? model : null;
  if (model !== null) return model;
  throw new InvalidInput([{ path: '--summaries', message: 'no language model is configured' }], 'command');
}

/** A document, and its summaries if a model wrote some. */
interface Done {
  imported: ImportedPolicy;
  summarised: SummaryResult | null;
}

/** Steps of the progress bar per file, so that the pages of a long file move the bar. */
const PARTS = 100;

async function importAll(
  files: readonly PolicyFile[],
  options: PolicyCommandOptions,
  { knowledge, summaries, news, signal }: ImportPorts,
): Promise<boolean> {
  const progress = news.progress('importing', files.length * PARTS);
  const all: Done[] = [];
  try {
    for (const file of files) {
      signal.throwIfAborted();
      const from = all.length * PARTS;
      const onProgress = (page: number, pages: number) => progress.to(from + (page / pages) * (PARTS - 1));
      const imported = await knowledge.importPolicyFile(file, options, { signal, onProgress });
      all.push({ imported, summarised: null });
      progress.to(all.length * PARTS);
    }
    progress.end();
    if (summaries !== null) {
      for (const done of all)
        if (!('error' in done.imported))
          done.summarised = await summarise(knowledge.policies, done.imported, summaries, news);
    }
  } finally {
    // Called also after an interrupted import, because imported files stay.
    progress.end();
    for (const done of all) report(done, news);
  }
  return all.every(({ imported }) => !('error' in imported));
}

function report({ imported, summarised }: Done, news: ImportNews): void {
  const { path, policyId } = imported;
  if ('error' in imported) {
    const { reasonCode } = imported.error;
    const message = whatIsWrong(imported.error);
    return news.failure(`${path}: ${message}`, { path, policyId, error: { reasonCode, message } });
  }
  const { outcome, version, sections, language } = imported;
  const line = `${outcome.padEnd(9)}  ${policyId}  version ${version}, ${sections} sections, ${language}`;
  const by = summarised === null ? '' : `, ${summarised.written} summaries by ${summarised.model}`;
  news.result(`${line}${by}`, { ...imported, summaries: summarised });
}

/**
 * The policies that the files of a source would become, in the order of their names.
 * @throws CasefileError `unreadable_file` if there is no file; InvalidInput if two files would become the
 * same policy.
 */
export function policyFiles({ files }: Pick<BoundedSource, 'files'>): PolicyFile[] {
  if (files.length === 0)
    throw new CasefileError('unreadable_file', 'expected a file or a folder of policies');
  const policies = files.map((file) => ({ path: file.path, policyId: namePolicyId(file.name), file }));
  checkDistinct(policies);
  return policies;
}

/** Id of a policy derived from the name of its file: letters, digits and dashes. */
export function namePolicyId(name: string): string {
  return idOfFile(name) || 'policy';
}

function checkDistinct(files: readonly PolicyFile[]): void {
  const first = new Map<string, string>();
  const problems = files.flatMap(({ path, policyId }): FieldProblem[] => {
    const other = first.get(policyId);
    if (other === undefined) first.set(policyId, path);
    if (other === undefined) return [];
    return [
      { path, message: `would be the policy ${policyId}, as ${other} would: import one of them with --id` },
    ];
  });
  if (problems.length > 0) throw new InvalidInput(problems, 'folder of policies');
}

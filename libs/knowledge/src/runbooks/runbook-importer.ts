import {
  CasefileError,
  InvalidInput,
  parseInput,
  RUNBOOKS_IMPORT,
  z,
  type RunbookRuleView,
} from '@casefile/contracts';
import { whatIsWrong } from '../entries/read-entries.js';
import { isAddress } from '../import-source.js';
import type { Importer } from '../importer.js';
import type { RunbookSource } from './read-source.js';

const optionsSchema = z.object({
  git: z.boolean().default(false),
  ref: z.string().optional(),
  path: z.string().optional(),
  pages: z.string().optional(),
});
type RunbookImportOptions = z.infer<typeof optionsSchema>;

/** `casefile import runbooks FOLDER|ADDRESS` */
export const runbookImporter: Importer = {
  name: RUNBOOKS_IMPORT.name,
  prepare({ name, origin, files }, input) {
    const options = parseInput(optionsSchema, input, 'command');
    if (name === null || (files.length === 0 && !isAddress(name)))
      throw new CasefileError('unreadable_file', 'expected a folder, a file or an address of runbooks');
    const at = sourceAt(name, options);
    const source = 'folder' in at ? { files, origin: origin ?? name, pages: options.pages } : at;
    return async ({ knowledge, news, signal }) => {
      const context = { signal, clock: { now: () => Date.now() } };
      const { runbooks, wrong } = await knowledge.runbooks.importRunbooks(source, context);
      const shelf = new Map((await knowledge.runbooks.listRunbooks()).map((one) => [one.name, one]));
      for (const one of runbooks) {
        const listed = shelf.get(one.name);
        const { rules = [], isDefault = false } = listed ?? {};
        const bound = [...rules.map(ruleText), ...(isDefault ? ['alerts without another runbook'] : [])];
        const line = `${one.outcome.padEnd(9)}  ${one.name}  version ${one.version}`;
        news.result(bound.length === 0 ? line : `${line}, for ${bound.join('; ')}`, {
          ...one,
          rules,
          isDefault,
        });
        if (listed !== undefined && bound.length === 0)
          news.note(
            `${listed.source}: no alert leads to this runbook. Name the file as the alert is named, or give it \`alerts\` or \`labels\` in its front matter.`,
          );
      }
      for (const { file, error } of wrong) {
        const message = whatIsWrong(error);
        news.failure(`${file}: ${message}`, { file, error: { reasonCode: error.reasonCode, message } });
      }
      return wrong.length === 0;
    };
  },
};

/**
 * Source for a folder or URL on the command line. A page of a GitHub repository stands for the repository.
 */
export function sourceAt(
  path: string,
  { git, ref, path: below, pages }: RunbookImportOptions,
): RunbookSource {
  const gitOptions = { ref, path: below, pages };
  if (!isAddress(path)) {
    const wrong = git
      ? 'git'
      : Object.entries(gitOptions).find(([name, value]) => name !== 'pages' && value !== undefined)?.[0];
    if (wrong !== undefined)
      throw new InvalidInput(
        [{ path: `--${wrong}`, message: 'is for a repository at an http(s) address' }],
        'command',
      );
    return { folder: path, pages };
  }
  const url = URL.canParse(path) ? new URL(path) : null;
  if (url === null || url.username !== '' || url.password !== '')
    throw new InvalidInput(
      [{ path: 'address', message: 'expected an http(s) address without name and password' }],
      'command',
    );
  const [, owner, repository, kind, branch, ...rest] = url.pathname.split('/');
  const onGitHub = url.host === 'github.com' && (repository ?? '') !== '';
  if (onGitHub && kind === 'tree') {
    const root = `https://github.com/${owner}/${repository}.git`;
    return { git: root, pages, ref: ref ?? branch, path: below ?? rest.join('/') };
  }
  if (onGitHub && (kind ?? '') === '')
    return { git: `https://github.com/${owner}/${repository?.replace(/\.git$/, '')}.git`, ...gitOptions };
  if (git || url.pathname.endsWith('.git')) return { git: path, ...gitOptions };
  return { url: path };
}

/** For example `alerts KubeJobFailed with team=shop`. */
function ruleText({ labels, alerts }: RunbookRuleView): string {
  const labelTexts = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  const alertText = alerts.length === 0 ? 'alerts' : `alerts ${alerts.join(', ')}`;
  return labelTexts.length === 0 ? alertText : `${alertText} with ${labelTexts.join(', ')}`;
}

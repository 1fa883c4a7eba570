import {
  addPromptVersionSchema,
  CasefileError,
  InvalidInput,
  movePromptVersionSchema,
  promptDiffSchema,
  promptListSchema,
  promptSchema,
  promptTextSchema,
  promptVersionSchema,
  z,
  type ComparedLine,
  type PromptName,
  type PromptVersionEntry,
  type PromptVersionText,
  type ShownPromptVersion,
} from '@casefile/contracts';
import { addedSentences, checkVersion, securitySentences } from '@casefile/pipeline';
import { promptProblem, splitName, textDigest, type InstalledPrompt } from '@casefile/runtime';
import { diffLines } from 'diff';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

/** Path of a prompt. */
export const nameSchema = z.object({ playbook: z.string().max(100), name: z.string().max(100) });
const versionNumber = z.coerce.number().int().min(1).max(1_000_000_000);
const versionParams = nameSchema.extend({ version: versionNumber });
const HISTORY = 100;
/** Longest time for a comparison, in milliseconds. Texts that share little are shown whole. */
const DIFF_WITHIN_MS = 500;

function shownVersion({
  sha256,
  playbook: _playbook,
  name: _name,
  ...entry
}: PromptVersionEntry): ShownPromptVersion {
  return { ...entry, digest: sha256 };
}

/** @throws CasefileError `not_found` that names the prompts of this release. */
export function promptNamed(
  prompts: readonly InstalledPrompt[],
  { playbook, name }: PromptName,
): InstalledPrompt {
  const match = prompts.find(({ prompt }) => {
    const its = splitName(prompt);
    return its.playbook === playbook && its.name === name;
  });
  if (match !== undefined) return match;
  const promptNames = prompts.map(({ prompt }) => Object.values(splitName(prompt)).join('/')).join(', ');
  throw new CasefileError('not_found', `there is no prompt "${playbook}/${name}"; there are: ${promptNames}`);
}

async function requireVersion(
  { store }: Pick<ConsolePorts, 'store'>,
  of: PromptName,
  version: number,
): Promise<PromptVersionText> {
  const promptVersion = await store.promptVersions.get(of, version);
  if (promptVersion === null) throw new CasefileError('not_found', `the prompt has no version ${version}`);
  return promptVersion;
}

async function liveVersion({ store }: Pick<ConsolePorts, 'store'>, of: PromptName): Promise<number> {
  const live = (await store.promptVersions.list(of)).find(({ state }) => state === 'live');
  if (live === undefined)
    throw new CasefileError('not_ready', 'the service that asks models has not added its texts yet', {
      retryable: true,
    });
  return live.version;
}

/** Versions of prompts: what is in force for new runs, and who changed it. */
export const promptRoutes = [
  route({
    method: 'get',
    path: '/prompts',
    operationId: 'listPrompts',
    right: 'reviewer',
    tag: 'prompts',
    summary: 'List the prompts of all kinds of case, each with its live version',
    input: {},
    answer: '{ prompts, nextCursor }',
    response: promptListSchema,
    handler: async ({ store, prompts }) => {
      const all = await store.promptVersions.list();
      return {
        prompts: prompts.map(({ prompt }) => {
          const { playbook, name } = splitName(prompt);
          const own = all.filter((one) => one.playbook === playbook && one.name === name);
          const live = own.find(({ state }) => state === 'live');
          const candidates = own.filter(({ state }) => state === 'candidate').length;
          const about = { playbook, name, versions: own.length, candidates };
          return { ...about, live: live === undefined ? null : shownVersion(live) };
        }),
        nextCursor: null,
      };
    },
  }),
  route({
    method: 'get',
    path: '/prompts/{playbook}/{name}',
    operationId: 'getPrompt',
    right: 'reviewer',
    tag: 'prompts',
    summary: 'One prompt: its versions, what each must contain, and its history',
    input: { params: nameSchema },
    answer: '{ playbook, name, sections, security, versions, history }',
    response: promptSchema,
    handler: async ({ store, prompts }, { params }) => {
      const { prompt, shipped } = promptNamed(prompts, params);
      const [versions, history] = await Promise.all([
        store.promptVersions.list(params),
        store.promptVersions.history(params, HISTORY),
      ]);
      return {
        ...params,
        sections: Object.entries(prompt.sections).map(([name, placeholders]) => ({
          name,
          placeholders: [...placeholders],
        })),
        security: securitySentences(prompt, shipped.source),
        versions: versions.reverse().map(shownVersion),
        history,
      };
    },
  }),
  route({
    method: 'get',
    path: '/prompts/{playbook}/{name}/versions/{version}',
    operationId: 'getPromptVersion',
    right: 'reviewer',
    tag: 'prompts',
    summary: 'One version of a prompt with its text',
    input: { params: versionParams },
    answer: 'The version and its `text`',
    response: promptTextSchema,
    handler: async (ports, { params }) => {
      promptNamed(ports.prompts, params);
      const { text, ...entry } = await requireVersion(ports, params, params.version);
      return { ...shownVersion(entry), text };
    },
  }),
  route({
    method: 'post',
    path: '/prompts/{playbook}/{name}/versions',
    operationId: 'addPromptVersion',
    right: 'operator',
    tag: 'prompts',
    summary: 'Add a text as a candidate',
    input: { params: nameSchema, body: addPromptVersionSchema },
    problems: [403, 404, 409],
    answer:
      'The version. A text that is a version already is returned as it stands. 400 names each section, placeholder and security sentence that the text lacks',
    status: 201,
    response: promptVersionSchema,
    handler: async ({ store, prompts, newId }, { params, body }) => {
      const { prompt, shipped } = promptNamed(prompts, params);
      const { text, message, by, parent = null, actId = newId() } = body;
      const read = checkVersion(prompt, text, shipped.source);
      if ('problems' in read)
        throw new InvalidInput(
          read.problems.map((problem) => ({ path: 'text', message: problem })),
          'prompt',
        );
      const { id, source } = read.text;
      const { playbook, name } = params;
      const added = { playbook, name, id, sha256: textDigest(source), text: source, parent };
      const { version } = await store.promptVersions.add({ ...added, actId, by, reason: message });
      return shownVersion(version);
    },
  }),
  route({
    method: 'post',
    path: '/prompts/{playbook}/{name}/versions/{version}/state',
    operationId: 'movePromptVersion',
    right: 'operator',
    tag: 'prompts',
    summary: 'Make a version live, or retire a candidate',
    input: { params: versionParams, body: movePromptVersionSchema },
    problems: [403, 404, 409],
    answer:
      'The version. New runs use a live version within 5 s; the version that was live is retired. 409: the move would leave no live version, or this release cannot use the text',
    response: promptVersionSchema,
    handler: async (ports, { params, body }) => {
      const { version, ...of } = params;
      const installed = promptNamed(ports.prompts, of);
      const { text, state } = await requireVersion(ports, of, version);
      const { state: to, by, reason, actId = ports.newId() } = body;
      // If the version became live here, the control would use it too, and the experiment would compare
      // nothing.
      if (state === 'shadow')
        throw new CasefileError(
          'conflict',
          'a running experiment uses this version: promote the experiment, or stop it first',
        );
      const problem = to === 'live' ? promptProblem(installed, text) : null;
      if (problem !== null)
        throw new CasefileError('conflict', `this release cannot use version ${version}: ${problem}`);
      return shownVersion(await ports.store.promptVersions.move({ ...of, version, to, by, reason, actId }));
    },
  }),
  route({
    method: 'get',
    path: '/prompts/{playbook}/{name}/diff',
    operationId: 'diffPromptVersions',
    right: 'reviewer',
    tag: 'prompts',
    summary: 'Compare two versions of a prompt line by line',
    input: {
      params: nameSchema,
      query: z.strictObject({
        from: versionNumber.optional().describe('Default: the live version.'),
        to: versionNumber.describe('Version to compare with `from`.'),
      }),
    },
    answer: '{ from, to, same, added, lines }; without `from`, the live version is compared',
    response: promptDiffSchema,
    handler: async (ports, { params, query }) => {
      promptNamed(ports.prompts, params);
      const { from = await liveVersion(ports, params), to } = query;
      const [a, b] = [await requireVersion(ports, params, from), await requireVersion(ports, params, to)];
      return {
        from,
        to,
        same: a.sha256 === b.sha256,
        added: addedSentences(b.text, a.text),
        lines: comparedLines(a.text, b.text),
      };
    },
  }),
];

/** Returns the lines of both texts in one list. */
export function comparedLines(a: string, b: string): ComparedLine[] {
  const changes = diffLines(a, b, { timeout: DIFF_WITHIN_MS, ignoreNewlineAtEof: true }) ?? [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  return changes.flatMap(({ added, removed, value }) => {
    const change = added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const);
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ change, text }));
  });
}

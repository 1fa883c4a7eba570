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
  renderedPromptSchema,
  renderPromptSchema,
  type Interaction,
  type ModelRequest,
  type RunDocument,
} from '@casefile/contracts';
import { addedSentences, checkVersion, securitySentences, promptName, renderAgain } from '@casefile/pipeline';
import { promptNamed, promptProblem, splitName, textDigest, type InstalledPrompt } from '@casefile/runtime';
import { diffLines } from 'diff';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';

/** Path of a prompt. */
const nameSchema = z.object({ playbook: z.string().max(100), name: z.string().max(100) });
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
function requirePrompt(prompts: readonly InstalledPrompt[], { playbook, name }: PromptName): InstalledPrompt {
  const match = promptNamed(prompts, { playbook, name });
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
      const { prompt, shipped } = requirePrompt(prompts, params);
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
      requirePrompt(ports.prompts, params);
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
      const { prompt, shipped } = requirePrompt(prompts, params);
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
      const installed = requirePrompt(ports.prompts, of);
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
      requirePrompt(ports.prompts, params);
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

type Ports = Pick<ConsolePorts, 'store'>;

/** Cases that are searched for one that asked a prompt, the newest first. */
const CASES_SEARCHED = 20;

/** Shows a text as it would be sent for a recorded case, before it is added. */
export const promptRenderRoutes = [
  route({
    method: 'post',
    path: '/prompts/{playbook}/{name}/render',
    operationId: 'renderPrompt',
    right: 'reviewer',
    tag: 'prompts',
    summary: 'Render a text on a recorded case: the question that the model would be asked with it',
    input: { params: nameSchema, body: renderPromptSchema },
    problems: [403, 404],
    isReading: true,
    answer:
      '{ problems, caseId, runId, promptId, messages }: each message line by line against the recorded one; nothing is kept',
    response: renderedPromptSchema,
    handler: async ({ store, prompts }, { params, body: { text, runId, caseId } }) => {
      const { prompt, shipped } = requirePrompt(prompts, params);
      const run = await runThatAsked({ store }, params, { runId, caseId });
      const [question, ...others] = runDocumentQuestions(run, params);
      if (question === undefined)
        throw wrong('runId', `the run asked no model with ${params.playbook}/${params.name}`);
      const recorded = await recordedText({ store }, question, params);
      const read = checkVersion(prompt, text, shipped.source);
      const other = 'problems' in read ? text : read.text.source;
      const { messages } = question.request as unknown as ModelRequest;
      return {
        problems: 'problems' in read ? read.problems : [],
        caseId: run.caseId,
        runId: run.id,
        promptId: question.promptId,
        stage: question.stage,
        round: question.round,
        questions: others.length + 1,
        messages: messages.map(({ role, content }) => {
          const rendered =
            role === 'system' || role === 'user' ? renderAgain(content, recorded, other) : null;
          return { role, isRendered: rendered !== null, lines: comparedLines(content, rendered ?? content) };
        }),
      };
    },
  }),
];

/** Returns the named run, that of the named case, or that of the newest case which asked the prompt. */
async function runThatAsked(
  { store: { record } }: Ports,
  of: PromptName,
  { runId, caseId }: { runId: string | undefined; caseId: string | undefined },
): Promise<RunDocument> {
  if (runId !== undefined) {
    const run = await record.getRun(runId);
    if (run === null) throw wrong('runId', 'no run has this id');
    return run;
  }
  const { items } =
    caseId === undefined
      ? await record.listCases({ playbook: of.playbook, limit: CASES_SEARCHED })
      : { items: [{ id: caseId }] };
  for (const { id } of items) {
    const caseDocument = await record.getCase(id);
    if (caseDocument === null) throw wrong('caseId', 'no case has this id');
    const askingRuns = caseDocument.runs.filter((run) => runDocumentQuestions(run, of).length > 0);
    const run = askingRuns.find((one) => one.id === caseDocument.leadingRunId) ?? askingRuns.at(-1);
    if (run !== undefined) return run;
  }
  const prompt = `${of.playbook}/${of.name}`;
  const message =
    caseId === undefined
      ? `none of the newest ${CASES_SEARCHED} cases asked a model with ${prompt}: name a case that did`
      : `the case asked no model with ${prompt}`;
  throw wrong('caseId', message);
}

/** Returns the answered questions of a run with the prompt. An id may name two prompts: `kind/turn@1+kind/aloud@1`. */
function runDocumentQuestions({ interactions }: RunDocument, { playbook, name }: PromptName): Interaction[] {
  return interactions.filter(({ promptId }) =>
    promptId.split('+').some((id) => promptName(id) === `${playbook}/${name}`),
  );
}

async function recordedText(
  { store }: Ports,
  { draw }: Interaction,
  { playbook, name }: PromptName,
): Promise<string> {
  const set = draw.prompts === undefined ? null : await store.prompts.get(draw.prompts);
  const storedPrompt = set?.prompts.find(({ id }) => promptName(id) === `${playbook}/${name}`);
  if (storedPrompt === undefined)
    throw wrong('runId', 'the record has no text of this prompt for the run: name a newer one');
  return storedPrompt.text;
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'body');
}

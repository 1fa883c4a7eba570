import {
  InvalidInput,
  renderedPromptSchema,
  renderPromptSchema,
  type Interaction,
  type ModelRequest,
  type PromptName,
  type RunDocument,
} from '@casefile/contracts';
import { checkVersion, promptName, renderAgain } from '@casefile/pipeline';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { comparedLines, nameSchema, promptNamed } from './prompts.js';

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
      const { prompt, shipped } = promptNamed(prompts, params);
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

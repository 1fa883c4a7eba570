import {
  ARTIFACTS,
  type Alert,
  type ArtifactName,
  type ChosenOption,
  type Json,
  type JsonObject,
  type ToolCall,
  type Verdict,
} from '@casefile/contracts';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';
import { flow, handOn } from '@casefile/pipeline/flow';
import { research } from '../playbook.js';
import type { LoadedInput } from '@casefile/pipeline/stage';
import { fakePorts, type LogLine } from '@casefile/pipeline/testing/fake-ports';
import { FakeModel, type FakeModelCall, type ModelScript } from '@casefile/pipeline/testing/fake-model';
import type { StepModel } from '@casefile/pipeline/stage-ports';

const AT = '2025-04-02T02:00:00.000Z';

/** Scripted answers in addition to the request. */
export interface ResearchScript {
  /** Answers of the model in the order of the calls; absent: no model. */
  answers?: ModelScript[];
  /** Results of searches by query; one that is not named fails. */
  pages?: Record<string, Json[]>;
  options?: JsonObject;
  /** Answers of the cross-examination, from its prompt. Default: an examiner that supports every claim. */
  examiner?: (prompt: string) => ModelScript;
  collect?: boolean;
  /** The option that the asker chose; null: none yet; omitted: no answer in time. */
  chosen?: ChosenOption | null;
}

/** Result of a research: every artifact by name and round, and the questions. */
export interface Played {
  verdict: Verdict;
  artifacts: { name: ArtifactName; round: number; body: JsonObject }[];
  calls: FakeModelCall[];
  /** Prompts of the cross-examination. */
  examined: string[];
  searched: string[];
  lines: LogLine[];
}

/** Takes a request through every stage and round of the flow, with a model that follows a script. */
export async function playResearch(payload: JsonObject, script: ResearchScript = {}): Promise<Played> {
  const alert: Alert = {
    id: 'a',
    playbook: research.name,
    payload,
    receivedAt: AT,
    ...(script.collect === undefined ? {} : { collect: script.collect }),
  };
  const ports = fakePorts({
    playbook: research,
    script: script.answers ?? null,
    ...(script.chosen === undefined ? {} : { chosen: script.chosen }),
    settings: {
      playbookVersion: research.version,
      tools: [...research.tools],
      maxRounds: research.maxRounds,
      // Examiners of these tests answer by the places of the claims, so nothing is planted among them.
      options: { ...research.options.defaults, plantedClaims: 0, ...script.options },
    },
  });
  const examined: string[] = [];
  const model = withExaminer(
    ports.model,
    script.examiner ?? ((prompt) => supportingExaminer(prompt, () => false)),
    examined,
  );
  const searched: string[] = [];
  const inline = async (_step: number, requests: { tool: string; args: JsonObject }[]): Promise<ToolCall[]> =>
    requests.map(({ tool, args }, seq) => {
      const query = String(args['query']);
      searched.push(query);
      return callOf(tool, args, seq, script.pages?.[query]);
    });
  const artifacts: Played['artifacts'] = [];
  let at: { stage: string; round: number } | null = { stage: 'triage', round: 1 };
  while (at !== null) {
    const { stage: name, round } = at as { stage: string; round: number };
    const stage = flow.find((one) => one.name === name)!;
    const newest = (artifact: ArtifactName, before: number) =>
      artifacts.filter((one) => one.name === artifact && one.round < before).at(-1)?.body;
    const own = Object.fromEntries(stage.reads.map((one) => [one, newest(one, round + 1)]));
    const previous = Object.fromEntries(
      stage.readsPrevious.flatMap((one) =>
        newest(one, round) === undefined ? [] : [[one, newest(one, round)]],
      ),
    );
    const loaded = {
      alert,
      artifacts: own,
      previous,
      units: [{ unit: '', artifacts: own }],
    } as unknown as LoadedInput;
    const outcome = await stage.run(loaded, {
      ...ports,
      model,
      run: { ...ports.run, round },
      tools: { ...ports.tools, locality: () => 'local', inline },
    });
    if (!('artifact' in outcome)) throw new Error(`${name} ended with ${outcome.kind}`);
    const body = ARTIFACTS[stage.appends].parse(
      JSON.parse(JSON.stringify(outcome.artifact)),
    ) as unknown as JsonObject;
    artifacts.push({ name: stage.appends, round, body });
    at = handOn(flow, stage, { unit: '', round, maxRounds: research.maxRounds }, outcome)?.next ?? null;
  }
  const verdict = artifacts.at(-1)!.body as unknown as Verdict;
  return { verdict, artifacts, calls: ports.model.calls, examined, searched, lines: ports.lines };
}

/** Returns the model with a separate examiner, whose answers are not part of the script. */
function withExaminer(
  model: StepModel,
  examiner: (prompt: string) => ModelScript,
  examined: string[],
): StepModel {
  return {
    get available() {
      return model.available;
    },
    recorded: (step) => model.recorded(step),
    draw: (deadlineMs) => model.draw(deadlineMs),
    call: async (step, request, deadlineAt) => {
      if (request.answerSchema?.name !== 'cross_examination') return model.call(step, request, deadlineAt);
      const prompt = request.messages.map(({ content }) => content).join('\n');
      examined.push(prompt);
      const clock = { now: () => 0 };
      return new FakeModel(clock, [examiner(prompt)]).call(step, request, null);
    },
  };
}

function callOf(tool: string, args: JsonObject, seq: number, results: Json[] | undefined): ToolCall {
  const failed = results === undefined;
  return {
    runId: 'run-1',
    unit: '',
    stage: 'collect',
    round: 1,
    id: `call-${seq}`,
    step: 1,
    seq,
    tool,
    args,
    state: failed ? 'failed' : 'succeeded',
    attempts: 1,
    result: failed ? null : { query: args['query'] ?? '', results },
    source: 'pages',
    reasonCode: failed ? 'not_configured' : null,
    message: failed ? 'No key for Exa: set EXA_API_KEY' : null,
    durationMs: 3,
    createdAt: AT,
    settledAt: AT,
  };
}

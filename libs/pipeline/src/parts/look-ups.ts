import {
  CasefileError,
  done,
  type Brief,
  type Draft,
  type EvidenceItem,
  type RunSettings,
  type ToolCall,
  type ToolRequest,
} from '@casefile/contracts';
import { askTools } from '../ask-tools.js';
import type { Options } from '../options.js';
import type { Collect, CollectPorts } from '../stage-parts.js';
import type { StagePorts, StepTools } from '../stage-ports.js';

/** Turn of all requests that are known at the start. They are made together. */
const TURN = 1;
/**
 * Maximum number of values of one type that a tool is asked about, so that a text with hundreds of values
 * does not cause hundreds of paid calls.
 */
const MAX_VALUES = 20;

export interface PlanInput {
  brief: Brief;
  previous: { draft?: Draft };
  unit: string;
  settings: RunSettings;
}

/** Returns the requests of a round, to tools of the playbook. */
export type LookUpPlan = (input: PlanInput, tools: StepTools) => ToolRequest[];

/** Returns the wait for tools that the option `toolWaitMs` of the kind sets. */
export const toolWaitOf =
  (options: Pick<Options<{ toolWaitMs: number }>, 'read'>): LookUps['waitMs'] =>
  (_brief, { run }) =>
    options.read(run.settings.options).toolWaitMs;

export interface LookUps {
  plan: LookUpPlan;
  /** How long a run waits for its tools, in milliseconds. A request without an answer then becomes a gap. */
  waitMs(brief: Brief, ports: StagePorts): number;
}

/**
 * Calls the planned tools and returns their results as evidence, numbered in the order of the requests. The unit is
 * suspended while remote tools work.
 */
export function lookUps({ plan, waitMs }: LookUps): Collect {
  return async ({ brief, previous }, ports) => {
    const { settings, unit } = ports.run;
    const planned = brief.collect ? plan({ brief, previous, unit, settings }, ports.tools) : [];
    const answers = await askTools(TURN, ofRun(planned, ports), ports, waitMs(brief, ports));
    if ('wait' in answers) return answers.wait;
    const before = previous.evidence?.items ?? brief.given;
    return done({
      items: [...before, ...answers.calls.map((call, i) => callItem(call, before.length + i, brief))],
    });
  };
}

/** Plans one call of each tool for each entity of its types, in the order of the tools in the playbook. */
export const fanOut: LookUpPlan = ({ brief, settings }, tools) =>
  settings.tools.flatMap((tool) =>
    tools
      .entityTypes(tool)
      .flatMap((entityType) =>
        (brief.entities[entityType] ?? [])
          .slice(0, MAX_VALUES)
          .map((entityValue) => ({ tool, args: { entityType, entityValue } })),
      ),
  );

/**
 * Filters requests to the tools that the run may call. A tool of the playbook is left out if the installation has
 * switched it off.
 * @throws CasefileError `bad_playbook` for a tool that the playbook does not list.
 */
function ofRun(
  requests: readonly ToolRequest[],
  { playbook, run }: Pick<CollectPorts, 'playbook' | 'run'>,
): ToolRequest[] {
  const { tools } = run.settings;
  const unknown = requests.find(({ tool }) => !tools.includes(tool) && !playbook.tools.includes(tool));
  if (unknown !== undefined)
    throw new CasefileError(
      'bad_playbook',
      `its plan asks the tool "${unknown.tool}", which is not in its list of tools`,
    );
  return requests.filter(({ tool }) => tools.includes(tool));
}

/** Converts an answered request to evidence. @param place Index among all items, from 0. */
export function callItem(call: ToolCall, place: number, brief: Brief): EvidenceItem {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { reasonCode: reason, message } = call;
  return {
    id: `E${place + 1}`,
    toolName: call.tool,
    entityType: text(call.args['entityType']),
    entityValue: text(call.args['entityValue']),
    result: call.result,
    success: call.state === 'succeeded',
    ...(reason === null ? {} : { reason }),
    ...(message === null ? {} : { message }),
    source: call.source ?? call.tool,
    at: call.settledAt ?? brief.receivedAt,
    durationMs: call.durationMs ?? 0,
  };
}

import type { Brief, Evidence, RunSettings, ToolRequest } from '@casefile/contracts';
import { askTools } from '../ask-tools.js';
import type { Collect } from '../stage-parts.js';
import { callItem, type LookUps } from './look-ups.js';

/** The turn after the initial requests. */
const TURN = 2;

export interface FollowUp extends Pick<LookUps, 'waitMs'> {
  /**
   * Returns the requests that follow from the first answers, such as those of a runbook; none: no further turn. Requests to
   * tools that the run does not have are left out, because a runbook may name any tool.
   */
  plan(input: { brief: Brief; evidence: Evidence; settings: RunSettings }): ToolRequest[];
}

/** Asks tools a second time, with requests that follow from the first answers. */
export function followedUp({ plan, waitMs }: FollowUp, collect: Collect): Collect {
  return async (input, ports) => {
    const outcome = await collect(input, ports);
    const { brief } = input;
    if (outcome.kind !== 'done' || !brief.collect) return outcome;
    const evidence = outcome.artifact;
    const { settings } = ports.run;
    const requests = plan({ brief, evidence, settings }).filter(({ tool }) => settings.tools.includes(tool));
    if (requests.length === 0) return outcome;
    const lookUps = await askTools(TURN, requests, ports, waitMs(brief, ports));
    if ('wait' in lookUps) return lookUps.wait;
    const { items } = evidence;
    const more = lookUps.calls.map((call, i) => ({
      ...callItem(call, items.length + i, brief),
      args: requests[i]!.args,
    }));
    return { ...outcome, artifact: { ...evidence, items: [...items, ...more] } };
  };
}

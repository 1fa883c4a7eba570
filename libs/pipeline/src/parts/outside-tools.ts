import type { Evidence } from '@casefile/contracts';
import type { Collect } from '../stage-parts.js';
import type { StepTools } from '../stage-ports.js';

/** Records which tools of outside servers a model may call in this run. Later rounds keep the list of the first. */
export function listingOutsideTools(collect: Collect): Collect {
  return async (input, ports) => {
    const outcome = await collect(input, ports);
    if (outcome.kind !== 'done') return outcome;
    return {
      ...outcome,
      artifact: { ...outcome.artifact, ...listedBefore(input.previous.evidence, ports.tools) },
    };
  };
}

function listedBefore(before: Evidence | undefined, tools: StepTools): Pick<Evidence, 'tools' | 'toolsOut'> {
  if (before?.tools !== undefined) return { tools: before.tools, toolsOut: before.toolsOut ?? [] };
  const offers = tools.offers();
  if (offers.tools.length + offers.out.length === 0) return {};
  return { tools: offers.tools, toolsOut: offers.out };
}

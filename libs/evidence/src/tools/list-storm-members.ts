import {
  CasefileError,
  STORM_TOOL,
  stormLines,
  stormSummary,
  z,
  type Json,
  type Storms,
  type Tool,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const args = z.strictObject({});

/**
 * Returns the tool that lists the alerts of the storm which a run judges. Result
 * `{ storm: StormSummary | null, text }`; null: no other alert belongs to it.
 */
export function listStormMembers(
  settings: Pick<EvidenceSettings, 'limits'>,
  storms: Pick<Storms, 'ofRun'> | undefined,
): Tool {
  return {
    name: STORM_TOOL,
    description:
      'Lists the alerts that began together with this one, and the service that probably caused them.',
    locality: 'local',
    entityTypes: [],
    reads: 'database',
    args,
    limits: toolLimits(STORM_TOOL, { ...OWN_LOOK_UP, concurrency: 20 }, settings),
    async run(input, { signal, runId }) {
      signal.throwIfAborted();
      args.parse(input);
      if (storms === undefined || runId === undefined)
        throw new CasefileError(
          'not_configured',
          'The alerts of a storm are listed within a run, by the record',
        );
      const stormOfRun = await storms.ofRun(runId);
      const storm = stormOfRun === null ? null : stormSummary(stormOfRun.leadCaseId, stormOfRun.members);
      const text =
        storm === null ? 'No other alert began together with this one.' : stormLines(storm).join('\n');
      return { result: { storm: storm as unknown as Json, text }, source: 'alerts of the storm' };
    },
  };
}

import type { Clock, Json, Logger, Telemetry, ToolBox } from '@casefile/contracts';

/** Dependencies of a tool runner. */
export interface ToolRunnerPorts {
  /** Read at each call: a source may list a tool later. */
  tools: Pick<ToolBox, 'allowed' | 'named' | 'sourceOf' | 'offers'>;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  /**
   * Removes secrets from output of outside servers. Default: no such output is kept.
   * @throws if a value cannot be scanned; it is then withheld.
   */
  mask?(value: Json): Promise<{ value: Json }>;
}

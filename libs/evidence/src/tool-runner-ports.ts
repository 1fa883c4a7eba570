import type { Clock, Json, Logger, Telemetry, ToolBox } from '@casefile/contracts';

/** What a tool runner works with. */
export interface ToolRunnerPorts {
  /** Looked up at each call: a source may list a tool later. */
  tools: Pick<ToolBox, 'allowed' | 'named' | 'sourceOf' | 'offers'>;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  /**
   * Takes secrets out of what outside servers say. Absent: nothing of theirs is kept.
   * @throws what cannot be looked through, and is then withheld. S2-48.
   */
  mask?(value: Json): Promise<{ value: Json }>;
}

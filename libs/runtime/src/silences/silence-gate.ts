import type { CaseStore, Clock } from '@casefile/contracts';
import { silenceFor } from './matching.js';

export interface GatePorts {
  store: { silences: Pick<CaseStore['silences'], 'inForce' | 'fields'> };
  clock: Pick<Clock, 'now'>;
}

/**
 * Returns the silence in force that matches the alert of each run, as ids of silences by ids of runs. Runs that no
 * silence matches are left out.
 */
export async function silencesOf(
  { store: { silences }, clock }: GatePorts,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  const inForce = runIds.length === 0 ? [] : await silences.inForce(clock.now());
  if (inForce.length === 0) return new Map();
  const alerts = await silences.fields(runIds);
  return new Map(
    alerts.flatMap(({ runId, fields }) => {
      const silence = silenceFor(inForce, fields);
      return silence === null ? [] : [[runId, silence.id] as const];
    }),
  );
}

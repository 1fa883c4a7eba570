import { ANSWERED_STATES } from '@casefile/contracts';

/** Returns a SQL condition: the answer of a person to the verdict of this run is in force. */
export const isAnsweredRun = (caseId: string, runId: string): string => `exists (
      select from reviews v where v.case_id = ${caseId} and v.run_id = ${runId}
        and v.state in (${ANSWERED_STATES.map((state) => `'${state}'`).join(', ')}))`;

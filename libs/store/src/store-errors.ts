import { CasefileError, type IntentRequest, type Reservation } from '@casefile/contracts';

export function unknownCase(caseId: string): CasefileError {
  return new CasefileError('unknown_case', `There is no case ${caseId} on the record.`);
}

export function placeTaken({ interaction }: Pick<IntentRequest, 'interaction'>): CasefileError {
  const { step, attempt } = interaction;
  const place = `step ${step}, attempt ${attempt}`;
  return new CasefileError('interaction_exists', `A model call is on the record already at ${place}.`);
}

export function artifactExists(cause?: unknown): CasefileError {
  return new CasefileError(
    'artifact_exists',
    'The artifact of this unit and round is on the record already.',
    { cause },
  );
}

/** A budget that has no room for a call. */
export function budgetExhausted({ key, window }: Pick<Reservation, 'key' | 'window'>): CasefileError {
  const period = window === 'all' ? '' : ` of ${window}`;
  return new CasefileError('budget_exhausted', `The budget ${key}${period} has no room for this call.`, {
    details: { key, window },
  });
}

/** Reason code of a run that a person gave up. */
export const DROPPED = 'dropped';
export const DROPPED_MESSAGE = 'An operator gave it up. It waited because of';

import type { ConditionList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listConditionsInput = {};

/** Returns what is wrong now, errors first. */
export const listConditions: Handler<typeof listConditionsInput, ConditionList> = async ({ conditions }) => ({
  conditions: await conditions(),
});

import type { PatternState } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getPatternStateInput = {};

/** How many known patterns there are, and the revision that each change of them raises. */
export const getPatternState: Handler<typeof getPatternStateInput, PatternState> = async ({
  patternState,
}) => {
  const { revision, patterns } = await patternState();
  return { revision, patterns };
};

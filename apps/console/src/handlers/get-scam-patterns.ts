import type { ScamPatternState } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getScamPatternsInput = {};

/** How many scam patterns there are, and the revision that each change of them raises. */
export const getScamPatterns: Handler<typeof getScamPatternsInput, ScamPatternState> = async ({
  scamPatterns,
}) => {
  const { revision, patterns } = await scamPatterns.patternState();
  return { revision, patterns };
};

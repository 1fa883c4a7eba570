import { z } from 'zod';

/** Query field for the next page of a list. @param most Longest cursor, in characters. */
export const cursorField = (most = 1_000) =>
  z.string().max(most).optional().describe('`nextCursor` of the answer before.');

/** Query field for the size of an answer. */
export const limitField = (most: number, preset: number) =>
  z.coerce.number().int().min(1).max(most).default(preset).describe('Most entries in the answer.');

/** Query field for the name of a kind of case. */
export const kindField = () => z.string().max(100).optional().describe('Name of a kind of case.');

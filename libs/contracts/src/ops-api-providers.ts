import { z } from 'zod';
import { CIRCUIT_STATES } from './ports/providers.js';

/** A provider that has failed at least once. Providers that never failed are not listed. */
export const providerFiguresSchema = z.object({
  provider: z.string(),
  state: z.enum(CIRCUIT_STATES),
  reasonCode: z.string().nullable().describe('Of the failure that opened the circuit, or of the last one.'),
  failures: z.int().describe('Failures in a row.'),
  until: z.string().nullable().describe('When it is tried again.'),
});
export type ProviderFigures = z.infer<typeof providerFiguresSchema>;

/** `POST /providers/{provider}/try`. */
export const triedProviderSchema = z.object({
  provider: z.string(),
  state: z.enum(CIRCUIT_STATES).describe('`open`: the next call probes it; `closed`: it is available.'),
});
export type TriedProvider = z.infer<typeof triedProviderSchema>;

/** Result of testing a configured model at startup. */
export const modelProbeSchema = z.object({
  provider: z.string(),
  model: z.string(),
  answers: z.boolean(),
  ms: z.int().describe('How long it took, in milliseconds.'),
  why: z.string().nullable().describe('Why it does not answer, as a sentence; null: it answers.'),
});
export type ModelProbeFigures = z.infer<typeof modelProbeSchema>;

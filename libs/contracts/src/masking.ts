import { z } from 'zod';

/**
 * Classes of personal data that are recognised by their form. `national-id`: identity numbers with a check
 * digit (Aadhaar, CPF, codice fiscale, DNI and NIE, NIR, resident identity number of China).
 */
export const PERSONAL_DATA = ['email', 'phone', 'iban', 'card', 'ip', 'national-id'] as const;
export type PersonalData = (typeof PERSONAL_DATA)[number];

/** Personal data that a run replaces by pseudonyms in every request to a model. */
export const maskingSchema = z.object({
  /** Version of the rules that find values. A replay finds values by the rules of its run. */
  rules: z.literal(1),
  personalData: z.array(z.enum(PERSONAL_DATA)),
  /** Patterns of the configuration in RE2 syntax, in order of precedence. */
  patterns: z.array(z.object({ name: z.string(), pattern: z.string() })),
});
export type Masking = z.infer<typeof maskingSchema>;

/** Newest version of the rules that find values. */
export const MASKING_RULES = 1 satisfies Masking['rules'];

import { z } from '@casefile/contracts';
import { phoneRegions } from '../../entities/phone-regions.js';
import { defineOptions } from '../../options.js';

/** Figures of scam-verdict; configuration may lay others over them. */
export const options = defineOptions(
  'scam-verdict',
  z.object({
    /** For the question and its repair together, in milliseconds. S1-25. */
    deadlineMs: z.number().int().min(1).max(600_000).default(5_000),
    /**
     * Age in days from which a domain of low risk counts as cleared by its registration. Registrations are sold by the
     * year: a domain that is older was renewed or paid for years ahead, which names thrown away within weeks are not.
     */
    domainClearedFromDays: z.number().int().min(1).default(365),
    /**
     * Countries (ISO 3166) in which a phone number without a country code is read, the likeliest first, if neither the
     * sender nor the language of the text tells its country.
     */
    phoneRegions,
  }),
);
export type ScamVerdictOptions = ReturnType<typeof options.read>;

import { z } from '@casefile/contracts';
import { phoneRegions } from '@casefile/pipeline/entities/phone-regions';
import { defineOptions, toolWaitOption } from '@casefile/pipeline/options';
import { MOST_PLANTED, PLANTED_BY_DEFAULT } from '@casefile/pipeline/parts/planted-claims';
import { pastCasesOption } from '@casefile/pipeline/past-cases';

/** Options of scam-verdict. Configuration can override them. */
export const options = defineOptions(
  'scam-verdict',
  z.object({
    /** Time for the question, its repair and its examination together, in milliseconds. */
    deadlineMs: z.number().int().min(1).max(600_000).default(5_000),
    /** Longest wait for one round of look-ups, in milliseconds. Those without an answer count as failed. */
    toolWaitMs: toolWaitOption(20_000),
    /**
     * Age in days from which the registration clears a domain of low risk. Registrations are sold by the
     * year, so an older domain was renewed or paid for years ahead. Domains of scams are abandoned within
     * weeks.
     */
    domainClearedFromDays: z.number().int().min(1).default(365),
    /**
     * Countries (ISO 3166), the likeliest first, in which a phone number without a country code is read if
     * neither the sender nor the language of the text indicates its country.
     */
    phoneRegions,
    /** Whether a second question to a model tests a conclusion that the rules do not reach. */
    crossExamine: z.boolean().default(true),
    /** False claims that are planted in an examination to test the examiner. */
    plantedClaims: z.number().int().min(0).max(MOST_PLANTED).default(PLANTED_BY_DEFAULT),
    pastCases: pastCasesOption,
  }),
);
export type ScamVerdictOptions = ReturnType<typeof options.read>;

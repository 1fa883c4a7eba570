import { defineOptions, z } from '@casefile/kit';

/** Limits that the configuration may set: `playbooks.kind-name.options`. */
export const options = defineOptions(
  'kind-name',
  z
    .strictObject({
      reviewFrom: z.number().positive().default(1_000),
      stopFrom: z.number().positive().default(10_000),
    })
    .refine(({ reviewFrom, stopFrom }) => reviewFrom <= stopFrom, {
      path: ['reviewFrom'],
      error: 'expected at most stopFrom',
    }),
);

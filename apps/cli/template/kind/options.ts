//+tool,policy import { toolWaitOption } from '@casefile/kit';
import { defineOptions, z } from '@casefile/kit';

/** Limits that the configuration may set: `playbooks.kind-name`. */
export const options = defineOptions(
  'kind-name',
  z
    .strictObject({
      reviewFrom: z.number().positive().default(1_000),
      stopFrom: z.number().positive().default(10_000),
      //+tool,policy toolWaitMs: toolWaitOption(10_000),
      //+model deadlineMs: z.number().int().positive().max(600_000).default(20_000),
      //+policy /** Policy that was imported by `casefile import policy`, and its version. */
      //+policy policy: z.string().min(1).max(100).default('kind-name'),
      //+policy policyVersion: z.number().int().positive().default(1),
    })
    .refine(({ reviewFrom, stopFrom }) => reviewFrom <= stopFrom, {
      path: ['reviewFrom'],
      error: 'expected at most stopFrom',
    }),
);

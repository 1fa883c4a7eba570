import { fileURLToPath } from 'node:url';
import { evaluationByField } from '@casefile/kit';
import { ACTIONS } from './decide.ts';
import { inputSchema } from './input.ts';

/** Labelled payloads, one per line. The action of each verdict is compared with the expected one. */
export const evaluation = evaluationByField({
  playbook: 'kind-name',
  field: 'action',
  values: ACTIONS,
  payload: inputSchema,
  sets: [
    {
      name: 'seen',
      about: 'payloads that may be read',
      path: fileURLToPath(new URL('./samples/seen.jsonl', import.meta.url)),
    },
  ],
});

import { defineTool, secretVariable, urlVariable, z } from '@casefile/kit';
import type { JsonObject } from '@casefile/kit';

/** Looks up what is requested in a register of yours: `GET KIND_CONST_REGISTER_URL/subjects/SUBJECT`. */
export const register = defineTool({
  name: 'kind_const_register',
  description: 'Looks up in the register whether something may be bought, and for how much.',
  variables: {
    KIND_CONST_REGISTER_URL: urlVariable('address of the register'),
    KIND_CONST_REGISTER_KEY: secretVariable('key of the register', 'optional'),
  },
  args: z.strictObject({ subject: z.string().min(1).max(500) }),
  async run({ subject }, { variables, getJson }) {
    const { KIND_CONST_REGISTER_URL: baseUrl, KIND_CONST_REGISTER_KEY: key } = variables;
    const found = await getJson({
      baseUrl,
      path: ['subjects', subject],
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      answer: z.object({ limit: z.number().nonnegative() }),
      // 404 is an answer: the register does not have the subject.
      allowNotFound: true,
    });
    const result: JsonObject = found === null ? { isKnown: false } : { isKnown: true, limit: found.limit };
    return { result, source: new URL(baseUrl).host };
  },
});

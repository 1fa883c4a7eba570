import {
  reportItemSchema,
  researchOutcomeSchema,
  SOURCE_MODES,
  z,
  type JsonObject,
} from '@casefile/contracts';
import type { AskedAt } from '@casefile/pipeline/parts/intake';

/** HTTP endpoint for a question whose client waits for the items. */
export const researchEndpoint: AskedAt = {
  path: '/v1/research',
  summary: 'Research a question, and wait for its items',
  body: z.looseObject({
    query: z.string().min(1).max(2_000).describe('The question.'),
    sourceMode: z
      .enum(SOURCE_MODES)
      .optional()
      .describe(
        '`strict`: reliable tiers alone; `discovery`, the default: all; `monitor`: tier 1 beside tier 5.',
      ),
    items: z
      .union([z.array(z.unknown()).max(100), z.looseObject({})])
      .optional()
      .describe(
        'Search results as Exa, Tavily, SearXNG, SerpAPI, DuckDuckGo or NLWeb return them, as JSON-LD, or as `[url, schema_json, name, site]`: a list, or an object with it in `results`. Default: they are searched for.',
      ),
    clarify: z
      .boolean()
      .optional()
      .describe(
        'Ask back, on the page of the case, where the question can be read in several ways; left out: no.',
      ),
    temporalContext: z
      .object({ from: z.string().optional(), to: z.string().optional() })
      .optional()
      .describe('Sources of other days are left out.'),
  }),
  example: {
    query: '網傳海灣市6月起每週停水三天，是真的嗎？',
    sourceMode: 'strict',
    items: [
      {
        url: 'https://cna.example/1',
        name: '減壓供水',
        site: '中央社',
        description: '水利署：沒有停水計畫。',
      },
    ],
  },
  answer: z.object({ items: z.array(reportItemSchema) }),
  handsOut: ({ outcome }) => ({
    items: researchOutcomeSchema.parse(outcome).items as unknown as JsonObject[],
  }),
};

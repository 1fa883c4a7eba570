import {
  defineTool,
  secretVariable,
  silentLogger,
  urlVariable,
  variableValues,
  z,
  type JsonObject,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { definedTools } from './defined-tools.js';
import { json, raw, startLocalService } from './testing/local-service.js';
import { describeTool } from './testing/tool.conformance.js';

const vendorSchema = z.object({ name: z.string(), iban: z.string() });
const register = defineTool({
  name: 'vendor_register',
  description: 'Looks up a vendor by its number.',
  variables: {
    VENDOR_REGISTER_URL: urlVariable('address of the register of vendors'),
    VENDOR_REGISTER_KEY: secretVariable('key of the register of vendors', 'optional'),
  },
  args: z.strictObject({ number: z.string().min(1).max(100), year: z.number().int().optional() }),
  async run({ number, year }, { variables, getJson }) {
    const { VENDOR_REGISTER_URL: baseUrl, VENDOR_REGISTER_KEY: key } = variables;
    const headers: Record<string, string> = key === undefined ? {} : { 'x-key': key };
    const path = ['vendors', number];
    const asked = {
      baseUrl,
      path,
      query: { year },
      headers,
      answer: vendorSchema,
      allowNotFound: true as const,
    };
    const vendor = await getJson(asked);
    return { result: { number, isKnown: vendor !== null, ...vendor }, source: 'register' };
  },
});
const made = (texts: Record<string, string>, limits = {}) => definedTools([register], texts, { limits })[0]!;
const VENDOR = { name: 'Desks Ltd', iban: 'DE89370400440532013000' };

describeTool({
  requirement: 'T-12',
  make: (VENDOR_REGISTER_URL, limits) => made({ VENDOR_REGISTER_URL }, limits),
  args: { number: '17' },
  wrong: [
    ['number', { number: '' }],
    ['(whole)', { number: '17', url: 'http://elsewhere.example' }],
  ],
  documented: VENDOR,
  finds: { number: '17', isKnown: true, ...VENDOR },
});

describe('a tool that a kind of case brings', () => {
  const context = { signal: new AbortController().signal, clock: manualClock(), log: silentLogger };
  const run = (baseUrl: string, args: JsonObject, key?: string) =>
    made({
      VENDOR_REGISTER_URL: baseUrl,
      ...(key === undefined ? {} : { VENDOR_REGISTER_KEY: key }),
    }).run(args, context);

  it('encodes its arguments in their place, and sends its key to its service alone', async () => {
    const service = await startLocalService(json(VENDOR));
    try {
      await run(`${service.baseUrl}/v1/`, { number: 'a/b?c=d#e %2e', year: 2026 }, 'secret');
      expect(service.requests).toMatchObject([
        { line: 'GET /v1/vendors/a%2Fb%3Fc%3Dd%23e%20%252e?year=2026', headers: { 'x-key': 'secret' } },
      ]);
      await expect(run(service.baseUrl, { number: '..' })).rejects.toMatchObject({
        reasonCode: 'invalid_arguments',
      });
      expect(service.requests).toHaveLength(1);
    } finally {
      await service.close();
    }
  });

  it('gets null for what its service does not have', async () => {
    const service = await startLocalService(raw('no', 404));
    try {
      await expect(run(service.baseUrl, { number: '18' })).resolves.toMatchObject({
        result: { number: '18', isKnown: false },
      });
    } finally {
      await service.close();
    }
  });

  it('reads its variables: a wrong one is named, and a missing one gives a gap that names it', async () => {
    const wrong = () => variableValues(register.variables, { VENDOR_REGISTER_URL: 'ftp://register' });
    expect(wrong).toThrow(/VENDOR_REGISTER_URL.*|expected a URL with http/s);
    await expect(made({}).run({ number: '17' }, context)).rejects.toMatchObject({
      reasonCode: 'variable_missing',
      message: 'No address of the register of vendors: set VENDOR_REGISTER_URL',
    });
  });
});

import type { Resolver } from 'node:dns/promises';
import { CasefileError, isObject, z, type Json } from '@casefile/contracts';
import { connectionFailure } from '../../fetch/fetch-failures.js';
import { recordsAnswerBytes, recordsAnswerSchema } from '../answer-schema.js';
import { filled } from '../place-arguments.js';
import { defineProtocol, NO_SECRET, requestFields } from './protocol.js';

const requestSchema = z.strictObject({
  ...requestFields,
  name: z.string().min(1).max(253).describe('Name to resolve, in the domain of the address.'),
  type: z.string().min(1).max(20).describe('Type of the records, such as A.'),
  answer: recordsAnswerSchema,
});
type DnsRequest = z.infer<typeof requestSchema>;

const sourceFields = { auth: NO_SECRET };
type DnsSource = z.infer<z.ZodObject<typeof sourceFields>>;

const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'] as const;
type RecordType = (typeof TYPES)[number];
const TRIES = 2;
/** A name or type that does not exist is a finding. */
const ABSENT: Readonly<Record<string, string>> = {
  ENOTFOUND: 'none: the name does not exist (NXDOMAIN)',
  ENODATA: 'none: the name has no record of this type',
};

/**
 * Records of one domain, by one resolver. Names outside of the domain are refused, because a query for such a name would
 * carry text of a case to a server of someone else.
 */
export const dns = defineProtocol<DnsSource, DnsRequest>({
  schemes: ['dns:'],
  address:
    /^dns:\/\/(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\])(?::\d{1,5})?\/[a-z\d](?:[a-z\d.-]{0,250}[a-z\d])?$/i,
  example: 'dns://10.0.0.2/shop.example, with the IP address of the resolver and the domain',
  source: sourceFields,
  request: requestSchema,
  places: ({ name, type }) => [
    { field: 'name', text: name, holds: 'text' },
    { field: 'type', text: type, holds: 'text' },
  ],
  client:
    ({ url, source: { limits } }) =>
    async ({ request, values }, _read, context) => {
      const { host, pathname } = new URL(url);
      const domain = pathname.slice(1).toLowerCase();
      const name = String(filled(request.name, values) ?? domain)
        .toLowerCase()
        .replace(/\.$/, '');
      if (name !== domain && !name.endsWith(`.${domain}`))
        throw new CasefileError('invalid_arguments', `expected ${domain} or a name that ends in .${domain}`);
      const type = TYPES.find((one) => one === filled(request.type, values));
      if (type === undefined)
        throw new CasefileError('invalid_arguments', `expected a type of ${TYPES.join(', ')}`);
      const { Resolver } = await import('node:dns/promises');
      const resolver = new Resolver({ timeout: Math.floor(limits.timeoutMs / TRIES), tries: TRIES });
      resolver.setServers([host]);
      const cancel = () => resolver.cancel();
      context.signal.addEventListener('abort', cancel);
      try {
        const found = await recordsOf(resolver, name, type);
        const records = found.map((value) => JSON.stringify({ name, type, value }));
        return recordsAnswerBytes(records, null);
      } catch (error) {
        const code = String((error as { code?: unknown } | null)?.code ?? '');
        const absent = ABSENT[code];
        if (absent !== undefined)
          return recordsAnswerBytes([JSON.stringify({ name, type, value: absent })], null);
        throw connectionFailure(error, host, context.signal);
      } finally {
        context.signal.removeEventListener('abort', cancel);
      }
    },
});

async function recordsOf(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  if (type === 'A') return (await resolver.resolve4(name, { ttl: true })).map((one) => shown({ ...one }));
  if (type === 'AAAA') return (await resolver.resolve6(name, { ttl: true })).map((one) => shown({ ...one }));
  return [(await resolver.resolve(name, type)) as unknown as Json].flat().map((one) => shown(one));
}

/** Returns a record as text: its only value, or its fields by name. A text in parts is joined. */
function shown(record: Json): string {
  if (Array.isArray(record)) return record.join('');
  if (!isObject(record)) return String(record);
  const fields = Object.entries(record).filter(([field]) => field !== 'type');
  return fields.map(([field, value]) => `${field} ${String(value)}`).join(', ');
}

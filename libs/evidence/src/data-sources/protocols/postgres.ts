import { CasefileError, z, type ToolContext } from '@casefile/contracts';
import type pg from 'pg';
import { connectionFailure } from '../../fetch/fetch-failures.js';
import { recordsAnswerBytes, recordsAnswerSchema } from '../answer-schema.js';
import { ARGUMENT_PLACE } from '../arguments.js';
import { defineProtocol, requestFields, type Ask, type Service } from './protocol.js';

const requestSchema = z.strictObject({
  ...requestFields,
  statement: z
    .string()
    .min(8)
    .max(4_000)
    .describe('Query. Its arguments are bound; an optional argument without a value is null.'),
  answer: recordsAnswerSchema,
});
type PostgresRequest = z.infer<typeof requestSchema>;

const sourceFields = { auth: z.array(z.literal('basic')).max(1).default(['basic']) };
type PostgresSource = z.infer<z.ZodObject<typeof sourceFields>>;

/** Rows of one message of the server, and the most bytes of a row: together at most 5 MB are in memory. */
const ROWS_PER_FETCH = 50;
const MOST_ROW_BYTES = 100_000;
/** Share of the time limit in which the server ends a statement itself, so that the gap states it. */
const STATEMENT_SHARE = 0.9;

/**
 * Databases that speak the protocol of PostgreSQL. A statement is declared as a cursor in a read-only transaction, so the
 * server accepts one query and nothing that writes.
 */
export const postgres = defineProtocol<PostgresSource, PostgresRequest>({
  schemes: ['postgres:', 'postgresql:'],
  address: /^postgres(?:ql)?:\/\/[^/?#]+\/[^/?#]+(?:\?sslmode=(?:disable|require|verify-full))?$/,
  example: 'postgres://db:5432/shop, with ?sslmode=require or ?sslmode=verify-full for TLS',
  source: sourceFields,
  request: requestSchema,
  places: ({ statement }) => [{ field: 'statement', text: statement, holds: 'bound' }],
  client: (service) => async (ask, _read, context) => {
    const { host } = new URL(service.url);
    const client = await openClient(service, ask.secret);
    const end = () => void client.end().catch(() => undefined);
    context.signal.addEventListener('abort', end);
    try {
      await client.connect();
      return await query(client, service, ask);
    } catch (error) {
      throw queryFailure(error, host, context);
    } finally {
      context.signal.removeEventListener('abort', end);
      await client.end().catch(() => undefined);
    }
  },
});

/** Returns a statement with `$1` and so on in the places of its arguments, and their names in this order. */
export function boundStatement(statement: string): { text: string; names: string[] } {
  const names: string[] = [];
  const text = statement.replace(ARGUMENT_PLACE, (_place, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: text.trim().replace(/;$/, ''), names };
}

async function openClient({ url, source }: Service<PostgresSource>, secret: string | null) {
  const { default: driver } = await import('pg');
  const { hostname, port, pathname, searchParams } = new URL(url);
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(secret ?? '') ?? [];
  if (user === '')
    throw new CasefileError('bad_configuration', 'expected a secret of the form user:password');
  const mode = searchParams.get('sslmode') ?? 'disable';
  const client = new driver.Client({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 5_432 : Number(port),
    database: decodeURIComponent(pathname.slice(1)),
    user,
    password,
    // As in libpq: `require` encrypts, `verify-full` also checks the certificate.
    ssl: mode === 'disable' ? false : { rejectUnauthorized: mode === 'verify-full' },
    application_name: 'casefile data source',
    connectionTimeoutMillis: source.limits.timeoutMs,
  });
  // The error of a lost connection also rejects the statement.
  client.on('error', () => undefined);
  return client;
}

async function query(
  client: pg.Client,
  { source: { limits } }: Service<PostgresSource>,
  { request, values }: Ask<PostgresRequest>,
): Promise<Uint8Array> {
  const timeoutMs = Math.floor(limits.timeoutMs * STATEMENT_SHARE);
  await client.query(
    `begin read only; set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs}`,
  );
  await refuseSuperuser(client);
  const { text, names } = boundStatement(request.statement);
  await client.query(
    `declare answer no scroll cursor for
     select case when octet_length(line) <= ${MOST_ROW_BYTES} then line end as line
     from (select row_to_json(record)::text as line from (${text}\n) as record) as lines`,
    names.map((name) => values.get(name) ?? null),
  );
  const lines: string[] = [];
  let bytes = 0;
  while (lines.length <= limits.rows) {
    const { rows } = await client.query<{ line: string | null }>(`fetch ${ROWS_PER_FETCH} from answer`);
    for (const { line } of rows) {
      bytes += Buffer.byteLength(line ?? '');
      if (line === null || bytes > limits.bytes)
        throw new CasefileError(
          'too_large',
          line === null
            ? `A row has more than ${MOST_ROW_BYTES} bytes`
            : `The rows have more than ${limits.bytes} bytes`,
        );
      lines.push(line);
    }
    if (rows.length < ROWS_PER_FETCH) break;
  }
  const hasMore = lines.length > limits.rows;
  return recordsAnswerBytes(
    lines.slice(0, limits.rows),
    hasMore ? `there are more rows than these ${limits.rows}` : null,
  );
}

/** A superuser could write outside the transaction by functions of the server. */
async function refuseSuperuser(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is: string }>(`select current_setting('is_superuser') as is`);
  if (rows[0]?.is !== 'on') return;
  const message =
    'The user of the data source is a superuser: create one that may only read, such as a member of pg_monitor';
  throw new CasefileError('bad_configuration', message);
}

/** Codes of Postgres whose cause is the login, the time limit, or the load of the server. */
const LOGIN = /^28/;
const TIMEOUT = /^(?:57014|55P03)$/;
const BUSY = /^(?:53|57P|58|08)/;
const MOST_SAID = 500;

function queryFailure(error: unknown, host: string, { signal }: Pick<ToolContext, 'signal'>): CasefileError {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  const isFromServer = (error as { severity?: unknown } | null)?.severity !== undefined;
  if (error instanceof CasefileError || signal.aborted || !isFromServer)
    return connectionFailure(error, host, signal);
  const said = (error as Error).message.slice(0, MOST_SAID);
  const facts = { details: { host, sqlState: code }, cause: error };
  if (LOGIN.test(code)) return new CasefileError('bad_key', `${host} refuses the login: ${said}`, facts);
  if (TIMEOUT.test(code))
    return new CasefileError('timeout', `${host} did not answer in time: ${said}`, {
      retryable: true,
      ...facts,
    });
  if (BUSY.test(code))
    return new CasefileError('server_error', `${host} cannot answer: ${said}`, { retryable: true, ...facts });
  return new CasefileError('bad_answer', `${host} refused the statement: ${said}`, facts);
}

import { CasefileError, type JsonObject, type ListedTool } from '@casefile/contracts';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import { entryOf } from './entry.js';
import { TOO_LONG } from './line-limit.js';
import type { McpServer } from './settings.js';
import { httpTransport, StdioTransport } from './transports.js';

/** One connection to a server, from its handshake to its end. */
export interface Session {
  readonly lost: boolean;
  /** @throws CasefileError `network`, `timeout`, `bad_answer`, `too_large`. */
  list(): Promise<ListedTool[]>;
  /** @throws CasefileError `network`, `timeout`, `too_large`, `invalid_arguments`, `server_error`. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult>;
  close(): Promise<void>;
}

const SELF = { name: 'casefile', version: '1' };
/** A result may travel twice, as text and as data, and is longer as JSON than by itself. */
const TIMES_ON_THE_WIRE = 3;
/** Pages of a tool list. */
const MOST_PAGES = 20;
/** The results that a server declares are kept as they come: what it says of its own is no reason to lose them. */
const TAKES_ALL = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }) as never,
};

/**
 * Connects to a server and shakes hands. No capability of a client is declared, so that the server has no way to ask anything.
 * @param onLost is told once when the connection is gone, with what is known of why.
 * @throws CasefileError `network`, `timeout`.
 */
export async function shakeHands(server: McpServer, onLost: (why: string) => void): Promise<Session> {
  const { limits, via } = server;
  const maxMessage = limits.maxResultBytes * TIMES_ON_THE_WIRE + 64 * 1024;
  const transport = 'command' in via ? new StdioTransport(via, maxMessage) : httpTransport(via, maxMessage);
  const client = new Client(SELF, {
    capabilities: {},
    jsonSchemaValidator: TAKES_ALL,
    listMaxPages: MOST_PAGES,
    versionNegotiation: { mode: 'auto' },
  });
  let lost = false;
  let last = '';
  const lose = (why: string): void => {
    if (lost) return;
    lost = true;
    onLost(why);
  };
  const wordsOf = (error: unknown): string => {
    const said = transport instanceof StdioTransport ? transport.lastWords : '';
    const message = error instanceof Error ? messageOf(error) : String(error);
    return [message, said].filter((part) => part !== '').join('; its last words: ');
  };
  client.onerror = (error) => void (last = error.message);
  client.onclose = () => lose(wordsOf(last === '' ? 'the connection was closed' : last));
  const failed = (error: unknown): CasefileError => {
    const failure = failureOf(error, wordsOf(error));
    if (failure.reasonCode === 'network') lose(failure.message);
    return failure;
  };
  const close = async (): Promise<void> => {
    lost = true;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await within(limits.connectMs, client.connect(transport, { timeout: limits.connectMs }));
  } catch (error) {
    const failure = failureOf(error, wordsOf(error));
    await close();
    throw failure;
  }
  return {
    get lost() {
      return lost;
    },
    async list() {
      try {
        const options = {
          timeout: limits.listMs,
          maxTotalTimeout: limits.listMs,
          cacheMode: 'refresh' as const,
        };
        const { tools } = await client.listTools(undefined, options);
        const instructions = client.getInstructions();
        return tools.map((tool) => entryOf(tool, instructions));
      } catch (error) {
        throw failed(error);
      }
    },
    async call(name, args, signal) {
      try {
        return await client.callTool(
          { name, arguments: args },
          {
            signal,
            timeout: limits.callMs,
            maxTotalTimeout: limits.callTotalMs,
            resetTimeoutOnProgress: true,
            onprogress: () => undefined,
          },
        );
      } catch (error) {
        signal.throwIfAborted();
        throw failed(error);
      }
    },
    close,
  };
}

// The handshake may begin with a probe that has limits of its own.
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new SdkError(SdkErrorCode.RequestTimeout, `no handshake within ${ms} ms`);
    timer = setTimeout(() => reject(error), ms);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const INVALID_PARAMS = -32_602;

function failureOf(error: unknown, message: string): CasefileError {
  if (error instanceof SdkHttpError)
    return new CasefileError('network', message, { retryable: true, cause: error });
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout)
      return new CasefileError('timeout', message, { cause: error });
    const unreadable = [
      SdkErrorCode.InvalidResult,
      SdkErrorCode.UnsupportedResultType,
      SdkErrorCode.ListPaginationExceeded,
    ];
    if (unreadable.includes(error.code as SdkErrorCode))
      return new CasefileError('bad_answer', message, { cause: error });
  }
  if (error instanceof ProtocolError) {
    if (error.code === TOO_LONG) return tooLarge(error.data);
    if (error.code === INVALID_PARAMS)
      return new CasefileError('invalid_arguments', message, { cause: error });
    return new CasefileError('server_error', message, { cause: error });
  }
  return new CasefileError('network', message, { retryable: true, cause: error });
}

function tooLarge(data: unknown): CasefileError {
  const { bytes, sha256 } = data as { bytes: number; sha256: string };
  const message = `the answer was not kept: ${bytes} bytes with the SHA-256 ${sha256}`;
  return new CasefileError('too_large', message, { details: { bytes, sha256 } });
}

// `fetch failed` says nothing: what failed is its cause.
function messageOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== ''
    ? `${error.message}: ${cause.message}`
    : error.message;
}

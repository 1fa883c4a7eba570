import {
  CasefileError,
  guardCallback,
  isObject,
  MOST_ANSWER_VALUES,
  type JsonObject,
  type ListedTool,
  type Logger,
} from '@casefile/contracts';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import { toolEntry } from './server-answers.js';
import type { McpServer } from './settings.js';
import { HttpTransport, StdioTransport } from './transports.js';
import { ENDED, MOST_TOOLS, REFUSED, type RefusedData } from './message-bounds.js';

/** One connection to a server, from its handshake to its end. */
export interface Session {
  readonly lost: boolean;
  /** @throws CasefileError `network`, `timeout`, `bad_answer`, `too_large`. */
  list(): Promise<ListedTool[]>;
  /** @throws CasefileError `network`, `timeout`, `too_large`, `invalid_arguments`, `server_error`. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface SessionPorts {
  /** Called once when an established connection is lost, with the reason if it is known. */
  lost(why: string): void;
  /** Called when the server reports that its tools changed. */
  changed(): void;
  log: Logger;
}

const SELF = { name: 'casefile', version: '1' };
/** A result may be sent twice, as text and as data, and is longer when encoded as JSON. */
const TIMES_ON_THE_WIRE = 3;
/** Most pages of a tool list. */
const MOST_PAGES = 20;
/** Time limit of the request that ends a session at the server. */
const FAREWELL_MS = 1_000;
/** Result schema that accepts everything, so that a wrong declaration of the server does not lose results. */
const TAKES_ALL = {
  getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }) as never,
};

/**
 * Connects to a server and completes the handshake. Declares no client capability, so the server cannot send
 * requests.
 * @throws CasefileError `network`, `timeout`, `bad_answer`, `too_large`, `server_error`.
 */
export async function shakeHands(server: McpServer, ports: SessionPorts): Promise<Session> {
  const { limits, via, name: serverName } = server;
  let connected = false;
  let lost = false;
  let last = '';
  const log = (error: unknown) =>
    ports.log.error({ server: serverName, error }, 'a callback of an MCP connection failed');
  const tellLost = guardCallback((why: string) => ports.lost(why), log);
  const lose = (why: string): void => {
    if (lost) return;
    lost = true;
    last = why;
    // Before that the caller waits for the handshake, whose failure reports the loss.
    if (connected) tellLost(why);
  };
  const broke = (error: unknown): void => {
    log(error);
    lose(`its connection could not be served: ${error instanceof Error ? error.message : String(error)}`);
  };
  const bounds = { bytes: limits.maxResultBytes * TIMES_ON_THE_WIRE + 64 * 1024, values: MOST_ANSWER_VALUES };
  const transport =
    'command' in via ? new StdioTransport(via, bounds, broke) : new HttpTransport(via, bounds, broke);
  const client = new Client(SELF, {
    capabilities: {},
    jsonSchemaValidator: TAKES_ALL,
    listMaxPages: MOST_PAGES,
    versionNegotiation: { mode: 'auto' },
  });
  const wordsOf = (error: unknown): string => {
    const said = transport instanceof StdioTransport ? transport.lastWords : '';
    const message = error instanceof Error ? messageOf(error) : String(error);
    return [message, said].filter((part) => part !== '').join('; its last words: ');
  };
  client.onerror = guardCallback((error: Error) => void (last = error.message), broke);
  client.onclose = guardCallback(
    () => lose(wordsOf(last === '' ? 'the connection was closed' : last)),
    broke,
  );
  const changed = guardCallback(() => ports.changed(), broke);
  client.setNotificationHandler('notifications/tools/list_changed', changed);
  const perList = () => ({ timeout: limits.listMs, maxTotalTimeout: limits.listMs });
  let isChecking = false;
  // A slow server still answers a ping, and an error counts as an answer.
  const check = async (): Promise<void> => {
    if (isChecking || lost) return;
    isChecking = true;
    try {
      // Later versions of the protocol have no ping.
      if (client.getProtocolEra() === 'modern') await client.discover(perList());
      else await client.ping(perList());
    } catch (error) {
      const { reasonCode, message } = errorFailure(error, wordsOf(error));
      if (reasonCode === 'network' || reasonCode === 'timeout') lose(message);
    } finally {
      isChecking = false;
    }
  };
  const failed = (error: unknown): CasefileError => {
    const failure = errorFailure(error, wordsOf(error));
    if (failure.reasonCode === 'network') lose(failure.message);
    if (failure.reasonCode === 'timeout') void check();
    return failure;
  };
  const close = async (): Promise<void> => {
    lost = true;
    if (transport instanceof HttpTransport)
      await within(FAREWELL_MS, transport.terminateSession()).catch(() => undefined);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await within(limits.connectMs, client.connect(transport, { timeout: limits.connectMs }));
    if (lost) throw new Error(last);
    connected = true;
  } catch (error) {
    const failure = errorFailure(error, wordsOf(error));
    await close();
    throw failure;
  }
  return {
    get lost() {
      return lost;
    },
    async list() {
      try {
        const { tools } = await client.listTools(undefined, { ...perList(), cacheMode: 'refresh' });
        if (tools.length > MOST_TOOLS) throw tooManyTools(tools.length);
        const instructions = client.getInstructions();
        return tools.map((tool) => toolEntry(tool, instructions));
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

// The handshake may begin with a probe that has separate limits.
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new SdkError(SdkErrorCode.RequestTimeout, `no answer to the handshake within ${ms} ms`);
    timer = setTimeout(() => reject(error), ms);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const INVALID_PARAMS = -32_602;

function errorFailure(error: unknown, message: string): CasefileError {
  if (error instanceof CasefileError) return error;
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
    if (error.code === REFUSED && isObject(error.data)) return tooLarge(error.data);
    if (error.code === ENDED) return new CasefileError('network', message, { retryable: true, cause: error });
    if (error.code === INVALID_PARAMS)
      return new CasefileError('invalid_arguments', message, { cause: error });
    return new CasefileError('server_error', message, { cause: error });
  }
  return new CasefileError('network', message, { retryable: true, cause: error });
}

function tooLarge({ why, bytes, sha256 }: Partial<RefusedData>): CasefileError {
  const message = `the answer was not kept, it has ${why}: ${bytes} bytes with the SHA-256 ${sha256}`;
  return new CasefileError('too_large', message, { details: { bytes, sha256 } });
}

function tooManyTools(count: number): CasefileError {
  return new CasefileError('too_large', `it lists ${count} tools, more than ${MOST_TOOLS}`);
}

// `fetch failed` is not informative; the actual error is its cause.
function messageOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error && cause.message !== ''
    ? `${error.message}: ${cause.message}`
    : error.message;
}

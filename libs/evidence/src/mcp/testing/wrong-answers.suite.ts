import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noTelemetry, silentLogger } from '@casefile/contracts';
import { manualClock, until } from '@casefile/contracts/testing';
import { createToolRunner } from '../../run-tool.js';
import {
  MCP_METHODS,
  startMcpHttpServer,
  WRONG_ANSWERS,
  type McpMethod,
  type WrongAnswer,
} from '../../testing/mcp-http-server.js';
import { aListedTool, mcpWorld, MemoryPins, SOME_LIMITS } from '../../testing/mcp-world.js';
import { createToolBox } from '../../tool-box.js';
import type { McpLimits, McpServer } from '../settings.js';

/** The outcome while a server answers wrongly: is it down, and does a look-up get an answer? */
type Outcome = 'down, a gap' | 'ready, a gap' | 'ready, answered';

/** Answers after which a server is not down. With every other answer it is down and its look-ups are gaps. */
interface Exception {
  method: McpMethod;
  answers: readonly WrongAnswer[];
  /** Over this transport alone. */
  over?: Row['transport'];
  outcome: Outcome;
  because: string;
}

const NOT_DOWN: Exception[] = [
  {
    method: 'notifications/initialized',
    answers: ['not JSON'],
    outcome: 'ready, answered',
    because: 'the body of an accepted notification says nothing',
  },
  {
    method: 'tools/call',
    answers: ['JSON-RPC error'],
    outcome: 'ready, a gap',
    because: 'the call failed, and its server answered',
  },
  {
    method: 'tools/call',
    answers: ['no answer'],
    outcome: 'ready, a gap',
    because: 'the tool is slow: its server answers the ping that follows',
  },
  {
    method: 'tools/call',
    answers: ['not JSON'],
    over: 'stdio',
    outcome: 'ready, a gap',
    because: 'a line that is no message is skipped: servers print other things too',
  },
  {
    method: 'ping',
    answers: ['JSON-RPC error'],
    outcome: 'ready, a gap',
    because: 'an error is a sign of life',
  },
  {
    method: 'DELETE',
    answers: WRONG_ANSWERS,
    outcome: 'ready, answered',
    because: 'the session ends here in any case, and the next one is another',
  },
];

function expected({ transport, method, answer }: Row): Outcome {
  const exception = NOT_DOWN.find(
    ({ over = transport, ...one }) =>
      over === transport && one.method === method && one.answers.includes(answer),
  );
  return exception?.outcome ?? 'down, a gap';
}

/** A server under test, over either transport. */
interface Served {
  via: McpServer['via'];
  set(wrong: Partial<Record<McpMethod, WrongAnswer>>): void;
  /** Ends its sessions, as a restart does. */
  restart(): void;
  methods(): string[];
  close(): Promise<void>;
}

interface Row {
  transport: 'HTTP' | 'HTTP, events' | 'stdio';
  method: McpMethod;
  answer: WrongAnswer;
  when: 'at the start' | 'while it runs';
}

const nameOf = ({ transport, method, answer, when }: Row) => `${transport}: ${answer} to ${method} ${when}`;

const PATIENCE = 120_000;
/** All rows are played at once: what the server does answer may take long. */
const LIMITS = {
  ...SOME_LIMITS,
  connectMs: PATIENCE,
  listMs: PATIENCE,
  callMs: PATIENCE,
  callTotalMs: PATIENCE,
};
const TOOLS = [aListedTool('echo')];
const uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);
let elsewhere = '';
let askedElsewhere = 0;
const stranger = createServer((_request, response) => {
  askedElsewhere += 1;
  response.end();
});

beforeAll(async () => {
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
});
afterAll(() => {
  process.off('uncaughtException', note);
  process.off('unhandledRejection', note);
  stranger.closeAllConnections();
  stranger.close();
});

async function serve(transport: Row['transport']): Promise<Served> {
  if (transport === 'stdio') {
    const world = mcpWorld({ tools: TOOLS });
    return {
      via: world.server.via,
      set: (wrong) => world.lists({ tools: TOOLS, wrong }),
      restart: () => world.kill(),
      methods: world.methods,
      close: world.close,
    };
  }
  const http = await startMcpHttpServer(TOOLS, { events: transport === 'HTTP, events', elsewhere });
  return {
    via: { url: http.url, headers: {} },
    set: (wrong) => {
      http.wrong.clear();
      for (const [method, answer] of Object.entries(wrong)) http.wrong.set(method, answer);
    },
    restart: () => http.forget(),
    methods: () => http.methods,
    close: () => http.close(),
  };
}

/** Shortens what the server leaves unanswered by design, and nothing else: a busy machine fails no row. */
function shorten(limits: McpLimits, { transport, method, answer }: Row): void {
  if (method === 'ping') limits.callMs = 200;
  // A process whose line is no message has not answered.
  if (answer !== 'no answer' && !(answer === 'not JSON' && transport === 'stdio')) return;
  if (method === 'initialize' || method === 'notifications/initialized') limits.connectMs = 300;
  if (method === 'tools/call') limits.callMs = 200;
  if (method === 'tools/list' || method === 'ping') limits.listMs = 300;
}

/** Plays a row. Returns the outcome while the server answers wrongly, and whether it is well after its repair. */
async function play(row: Row): Promise<{ outcome: Outcome; repaired: boolean }> {
  const { method, answer, when } = row;
  const served = await serve(row.transport);
  const limits = { ...LIMITS };
  const pins = new MemoryPins(true);
  const { source } = mcpWorld(
    { tools: TOOLS },
    { via: served.via, limits, use: { timeoutMs: 2 * PATIENCE, attempts: 1, concurrency: 4 } },
    pins,
  );
  const runner = createToolRunner({
    tools: createToolBox([source]),
    clock: manualClock(),
    log: silentLogger,
    telemetry: noTelemetry,
    mask: async (value) => ({ value }),
  });
  const call = async () => {
    const { state, reasonCode } = await runner.run('cluster__echo', {}, new AbortController().signal);
    return state === 'succeeded' ? 'answered' : reasonCode;
  };
  try {
    if (when === 'while it runs') {
      await source.connect();
      await source.connect();
      const before = await call();
      if (before !== 'answered') throw new Error(`${nameOf(row)}: not well before, ${before}`);
    }
    served.set(method === 'ping' ? { ping: answer, 'tools/call': 'no answer' } : { [method]: answer });
    shorten(limits, row);
    pins.noted.length = 0;
    const opens = method === 'initialize' || method === 'notifications/initialized' || method === 'DELETE';
    if (opens && when === 'while it runs') served.restart();
    await source.connect();
    await source.connect();
    const result = await call();
    const wanted = expected(row);
    if (wanted.startsWith('down'))
      await until(`${nameOf(row)}: the server is down`, () => pins.noted.includes('down'));
    else if (result === 'timeout')
      await until(`${nameOf(row)}: a ping`, () => served.methods().includes('ping'));
    const isDown = pins.noted.includes('down') && !(opens && pins.noted.at(-1) === 'ready');
    const outcome = `${isDown ? 'down' : 'ready'}, ${result === 'answered' ? result : 'a gap'}` as Outcome;
    served.set({});
    Object.assign(limits, LIMITS);
    await source.connect();
    await source.connect();
    return { outcome, repaired: source.health().state === 'ready' && (await call()) === 'answered' };
  } finally {
    await source.close();
    await served.close();
  }
}

const WHEN = ['at the start', 'while it runs'] as const;
const HTTP_ROWS: Row[] = MCP_METHODS.flatMap((method) =>
  WRONG_ANSWERS.flatMap((answer) => WHEN.map((when): Row => ({ transport: 'HTTP', method, answer, when }))),
);
/** The answers whose form differs in a stream of events. */
const EVENT_ROWS = HTTP_ROWS.filter(
  ({ method, answer }) =>
    method !== 'DELETE' &&
    method !== 'notifications/initialized' &&
    ['JSON-RPC error', 'not JSON', 'connection closed', 'no answer'].includes(answer),
).map((row): Row => ({ ...row, transport: 'HTTP, events' }));
/** A process has neither statuses nor sessions to delete. */
const STDIO_ROWS = EVENT_ROWS.filter(
  ({ method, when }) => (method === 'initialize') === (when === 'at the start'),
).map((row): Row => ({ ...row, transport: 'stdio' }));

/**
 * Tests a tool server that answers wrongly, over each transport.
 * @param each Plays one row in this many.
 */
export function describeWrongAnswers(each: number): void {
  describe.each([
    ['HTTP', HTTP_ROWS],
    ['HTTP, events', EVENT_ROWS],
    ['stdio', STDIO_ROWS],
  ])('S2-46 a tool server over %s that answers wrongly', (_transport, all) => {
    const rows = all.filter((_, i) => i % each === 0);
    it(`is down where that is right, its look-ups are gaps, and it is well after its repair (${rows.length} of ${all.length})`, async () => {
      uncaught.length = 0;
      const outcomes = await Promise.all(
        rows.map(async (row) => ({ row: nameOf(row), ...(await play(row)) })),
      );
      expect(outcomes).toEqual(
        rows.map((row) => ({ row: nameOf(row), outcome: expected(row), repaired: true })),
      );
      expect([uncaught, askedElsewhere]).toEqual([[], 0]);
    });
  });
}

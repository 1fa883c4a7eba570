// A small MCP server over stdio for tests. Its JSON file is the argument and is read for each message:
// { down?, instructions?, tools: [...], wrong?: { [method]: kind of wrong answer }, raw?: { [method]: result } }. Answers by name
// of the tool: see `answers`.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const world = () => JSON.parse(readFileSync(process.argv[2], 'utf8'));
if (world().down) {
  process.stderr.write('the cluster is being rebuilt\n');
  process.exit(3);
}

writeFileSync(`${process.argv[2]}.pid`, String(process.pid));

const text = (said, more = {}) => ({ content: [{ type: 'text', text: said }], ...more });
const answers = {
  env: () => text(JSON.stringify(process.env)),
  big: ({ bytes }) => text('x'.repeat(bytes)),
  twice: ({ value }) => text(JSON.stringify({ value }), { structuredContent: { value } }),
  picture: () => ({
    content: [
      { type: 'text', text: 'see' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
  }),
  fail: ({ why }) => text(why, { isError: true }),
  die: () => process.exit(9),
  silent: () => null,
  // Reports a changed list, and lists the tools in the arguments.
  change: ({ tools }) => {
    writeFileSync(process.argv[2], JSON.stringify({ ...world(), tools }));
    send({ method: 'notifications/tools/list_changed' });
    return text('changed');
  },
};
/** Wrong answers to any request, by kind. */
const wrongAnswers = {
  'JSON-RPC error': (id) => send({ id, error: { code: -32603, message: 'broken inside' } }),
  'other protocol version': (id) =>
    send({
      id,
      result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'old', version: '1' } },
    }),
  'not JSON': () => process.stdout.write('{ this is no JSON }\n'),
  'connection closed': () => process.exit(9),
  'no answer': () => undefined,
};
let called = 0;
let listed = 0;
const methods = {
  initialize: ({ protocolVersion, capabilities }) => {
    declared = capabilities;
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'test', version: '1' },
      instructions: world().instructions,
    };
  },
  ping: () => ({}),
  'tools/list': () => {
    listed += 1;
    return { tools: world().tools };
  },
  'tools/call': ({ name, arguments: args }) => {
    called += 1;
    if (name === 'facts') return text(JSON.stringify({ called, listed, declared }));
    return (answers[name] ?? (() => text(`said ${name}`)))(args ?? {});
  },
};
let declared = null;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  appendFileSync(`${process.argv[2]}.log`, `${method}\n`);
  const wrong = world().wrong?.[method];
  if (wrong !== undefined) return wrongAnswers[wrong](id);
  const { raw } = world();
  // Results as JSON texts that are sent unchanged.
  if (raw?.[method] !== undefined)
    return process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${raw[method]}}\n`);
  const answer = methods[method];
  if (answer === undefined) return send({ id, error: { code: -32601, message: 'Method not found' } });
  const result = answer(params ?? {});
  if (result !== null) send({ result, id });
});

function send(message) {
  process.stdout.write(`${JSON.stringify({ ...message, jsonrpc: '2.0' })}\n`);
}

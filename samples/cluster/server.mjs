#!/usr/bin/env node
// A made-up cluster as an MCP server over stdio: what the sample incidents are looked into with. Everything it says is
// invented, it reads nothing but this folder, and it changes nothing.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const cluster = JSON.parse(readFileSync(new URL('./cluster.json', import.meta.url), 'utf8'));
const text = (description) => ({ type: 'string', description });

/** The tools: what each is for, what it needs, and how it answers. */
const tools = {
  disk_usage: {
    description: 'How full the disks of a host are, and what takes the room.',
    needs: { instance: text('Name of the host') },
    answer: ({ instance }) => known(cluster.disks, instance, 'host'),
  },
  metrics: {
    description: 'The last values of the main metrics of a service, one line every five minutes.',
    needs: { service: text('Name of the service') },
    answer: ({ service }) => known(cluster.metrics, service, 'service'),
  },
  logs: {
    description: 'Lines of the log of a service that hold a word.',
    needs: { service: text('Name of the service'), query: text('A word that the lines hold, in any case') },
    answer: ({ service, query }) => {
      const lines = known(cluster.logs, service, 'service');
      if (typeof lines === 'string') return lines;
      const found = lines.filter((line) => line.toLowerCase().includes(String(query).toLowerCase()));
      return found.length > 0
        ? found
        : `no line of ${service} holds "${query}" (${lines.length} lines were searched)`;
    },
  },
  deployments: {
    description: 'What was deployed of a service, newest first, with what changed.',
    needs: { service: text('Name of the service') },
    answer: ({ service }) => known(cluster.deployments, service, 'service'),
  },
};

function known(part, name, what) {
  if (typeof name === 'string' && Object.hasOwn(part, name)) return part[name];
  throw new Error(`there is no ${what} "${name}"; there are: ${Object.keys(part).join(', ')}`);
}

const said = (answer) => ({
  content: [{ type: 'text', text: Array.isArray(answer) ? answer.join('\n') : answer }],
});

function call({ name, arguments: given = {} }) {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) return { ...said(`there is no tool "${name}"`), isError: true };
  try {
    return said(tool.answer(given));
  } catch (error) {
    return { ...said(error.message), isError: true };
  }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'made-up-cluster', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { description, needs }]) => ({
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: needs,
        required: Object.keys(needs),
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    })),
  }),
  'tools/call': call,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = methods[method];
  const reply = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});

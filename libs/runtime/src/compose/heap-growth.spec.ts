import { spawnSync } from 'node:child_process';

const BUILT = new URL('../../dist/compose/heap-growth.js', import.meta.url).href;

/** Returns what V8 prints while a process runs this code. V8 reports an unknown flag and continues. */
const printedBy = (code: string) => {
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return { status: run.status, text: run.stdout + run.stderr };
};

describe('heap growth', () => {
  it('is bounded by a flag that this version of Node knows', () => {
    const known = printedBy(
      `const { boundHeapGrowth } = await import('${BUILT}'); boundHeapGrowth(); boundHeapGrowth()`,
    );
    const unknown = printedBy(
      `(await import('node:v8')).setFlagsFromString('--heap-growth-of-no-version=1')`,
    );
    expect(known).toEqual({ status: 0, text: '' });
    expect(unknown.text).toContain('heap-growth-of-no-version');
  });
});

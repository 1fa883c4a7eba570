import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTemporaryFolders, temporaryFolder } from './temporary-folder.js';

const MODULE = fileURLToPath(new URL('../../dist/testing/temporary-folder.js', import.meta.url));

describe('temporary folders', () => {
  it('are new ones, and are removed with what is in them', () => {
    const [one, other] = [temporaryFolder('one'), temporaryFolder('one')];
    expect(one).not.toBe(other);
    writeFileSync(join(one, 'file'), 'x');
    removeTemporaryFolders();
    expect([existsSync(one), existsSync(other)]).toEqual([false, false]);
  });

  it('end with their process, also when it fails', () => {
    const parent = temporaryFolder('parent');
    const code = `
      const { temporaryFolder } = await import(${JSON.stringify(MODULE)});
      temporaryFolder('child');
      throw new Error('failed');`;
    const env = { ...process.env, TMPDIR: parent };
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env });
    expect([status, readdirSync(parent)]).toEqual([1, []]);
  });

  it('are below the folder of this run of the tests, which is removed also when the run is killed', () => {
    expect(dirname(temporaryFolder('place'))).toBe(process.env['TMPDIR']);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { SupervisedProcess } from './launch-processes.js';

async function script(text: string): Promise<string> {
  const path = join(temporaryFolder('process'), 'child.mjs');
  await writeFile(path, text);
  return path;
}

function supervised(path: string) {
  const lines: string[] = [];
  const deaths: { how: string; againInMs: number }[] = [];
  const child = new SupervisedProcess({
    name: 'child',
    script: path,
    env: {},
    line: (text) => void lines.push(text),
    died: (how, againInMs) => void deaths.push({ how, againInMs }),
  });
  return { child, lines, deaths };
}

describe('SupervisedProcess', () => {
  it('starts a process that died again, each time after a longer pause', async () => {
    const { child, deaths } = supervised(await script('process.exit(3)'));
    child.start();
    await until('the third death', () => deaths.length === 3);
    await child.stop();
    expect(deaths.map((death) => death.how)).toEqual(['exit code 3', 'exit code 3', 'exit code 3']);
    expect(deaths.map((death) => death.againInMs)).toEqual([250, 500, 1_000]);
  });

  it('hands on lines of both streams, stops by SIGTERM and starts no more', async () => {
    const path = await script(
      `console.log('out'); console.error('err'); process.on('SIGTERM', () => { console.log('stopping'); process.exit(0); }); setInterval(() => {}, 1000); console.log('ready');`,
    );
    const { child, lines, deaths } = supervised(path);
    child.start();
    await until('lines of both streams', () => lines.includes('ready') && lines.includes('err'));
    await child.stop();
    expect(lines).toEqual(expect.arrayContaining(['out', 'err', 'stopping']));
    expect(deaths).toEqual([]);
  });
});

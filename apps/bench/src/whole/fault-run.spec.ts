import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

it('R17 the run takes its processes with it when it is itself told to end', async () => {
  const main = fileURLToPath(new URL('../../dist/programs/fault-run.js', import.meta.url));
  // A separate process group, which also contains the services.
  const run = spawn(process.execPath, [main, '--postgres', '--cases', '4'], { detached: true });
  const ended = new Promise<number | null>((resolve) => run.once('exit', resolve));
  const output = await new Promise<string>((resolve) => {
    let text = '';
    run.stdout.on('data', (chunk) => (text += String(chunk)).includes('are up') && resolve(text));
    run.once('exit', () => resolve(text));
  });
  expect(output).toContain('processes are up');
  // The first of them are just about to be killed and started again.
  run.kill('SIGTERM');
  expect(await ended).toBe(1);
  expect(() => process.kill(-run.pid!, 0)).toThrow('ESRCH');
}, 400_000);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const MODULE = new URL('../dist/process-end.js', import.meta.url).href;

/** Starts a process that runs this program, ends in order, and prints `ready` when it waits. */
function started(program: string) {
  const source = `
    import { closeAtEnd, endInOrder, endProcess, finishAtEnd, signalsEndWith } from '${MODULE}';
    const say = (text) => process.stdout.write(text + ' ');
    const later = (text) => async () => { await new Promise((resolve) => setTimeout(resolve, 20)); say(text); };
    endInOrder();
    setInterval(() => undefined, 1_000);
    ${program}
    say('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const printed = text(child.stdout!).catch(() => 'cut off');
  const ready = once(child.stdout!, 'data');
  return { child, ready, outcome: async () => [(await ended)[0], (await printed).trim()] };
}

describe('the end of a process', () => {
  it.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s closes what is open, the newest first, and ends with %d', async (signal, code) => {
    const one = started(
      `closeAtEnd(later('first')); closeAtEnd(later('forgotten'))(); closeAtEnd(later('second'));`,
    );
    await one.ready;
    one.child.kill(signal);
    expect(await one.outcome()).toEqual([code, 'ready second first']);
  });

  it('is 0 for a program that runs until a signal comes, and 1 when something could not be closed', async () => {
    const good = started(`signalsEndWith(0);`);
    const late = started(
      `signalsEndWith(0); closeAtEnd(later('closed')); closeAtEnd(() => new Promise(() => {}), 30);`,
    );
    await Promise.all([good.ready, late.ready]);
    good.child.kill('SIGTERM');
    late.child.kill('SIGTERM');
    expect(await good.outcome()).toEqual([0, 'ready']);
    expect(await late.outcome()).toEqual([1, 'ready closed']);
  });

  it('lets work finish before it closes what the work uses', async () => {
    const one = started(`
      const work = (signal) => new Promise((resolve) => signal.addEventListener('abort', () => later('finished')().then(resolve)));
      void finishAtEnd(5_000, work);
      closeAtEnd(later('closed'));`);
    await one.ready;
    one.child.kill('SIGINT');
    expect(await one.outcome()).toEqual([130, 'ready finished closed']);
  });

  it('reports no failure of work that the signal aborted, directly or as the cause of its error', async () => {
    const aborted = `new Promise((_, reject) => signal.addEventListener('abort', () => reject(`;
    const one = started(`
      void finishAtEnd(5_000, (signal) => ${aborted}signal.reason)))).catch(() => {});
      void finishAtEnd(5_000, (signal) => ${aborted}new Error('cut', { cause: signal.reason }))))).catch(() => {});
      void finishAtEnd(5_000, (signal) => ${aborted}new Error('disk full'))))).catch(() => {});`);
    const errors = text(one.child.stderr!);
    await one.ready;
    one.child.kill('SIGINT');
    expect(await one.outcome()).toEqual([130, 'ready']);
    expect((await errors).match(/^casefile: .*$/gm)).toEqual([expect.stringContaining('disk full')]);
  });

  it('comes with the launcher: the end of its channel is a stop in order', async () => {
    const one = started(`closeAtEnd(later('closed'));`);
    await one.ready;
    one.child.disconnect();
    expect(await one.outcome()).toEqual([0, 'ready closed']);
  });

  it('comes when the output is no longer read', async () => {
    const one = started(`closeAtEnd(() => { console.error('closed'); return Promise.resolve(); });
      setInterval(() => say('.'), 10);`);
    const errors = text(one.child.stderr!);
    const ended = once(one.child, 'exit');
    await one.ready;
    one.child.stdout!.destroy();
    expect([(await ended)[0], (await errors).trim()]).toEqual([0, 'closed']);
  });
});

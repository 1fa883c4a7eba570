import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds per tick of the times in /proc. */
const TICK_MS = 10;

/** Returns the processor time of a process and its children so far, in milliseconds. Linux only. */
export function processorMs(pid: number): number {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid,
  );
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + ticksOf(one, one === pid) * TICK_MS, 0);
}

function ticksOf(pid: number, withEndedChildren: boolean): number {
  const fields = statOf(pid);
  const [own, ended] = [fields.slice(11, 13), fields.slice(13, 15)];
  const counted = withEndedChildren ? [...own, ...ended] : own;
  return counted.reduce((sum, ticks) => sum + Number(ticks), 0);
}

const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? 0);

/** Returns the fields of a process after its name, or none if it has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

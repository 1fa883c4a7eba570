import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { mutationArgv } from './mutate.js';
import type { Proof, ProofRow } from './proof.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));
/** Whether the run of a proof failed, instead of the promise. */
const isError = ({ measured }: ProofRow): boolean => measured.startsWith('error: ');
/** Result of a proof whose process ended without one. */
const ENDED = 'the process of the proof ended';
/** Longest time of a short proof, also with its mechanism switched off. */
const SHORT_LIMIT_MINUTES = 8;

export interface SuiteOptions {
  seed: number;
  short: boolean;
  /** Called with each row. */
  row(row: ProofRow): void;
}

/** Whether a proof failed with its mechanism switched off, and what it measured. */
export interface MutationRow {
  id: string;
  what: string;
  /** false: the proof passed, or a replacement had no effect. */
  found: boolean;
  measured: string;
  seconds: number;
}

/** Runs proofs one after another, each in a process of its own, except those that share a run. */
export class ProofSuite {
  private child: ChildProcess | null = null;
  private isOver = false;

  constructor(private readonly options: SuiteOptions) {}

  /** Runs these proofs. Returns a row for each. */
  async run(proofs: readonly Proof[]): Promise<ProofRow[]> {
    const rows: ProofRow[] = [];
    for (const group of groups(proofs)) {
      const limit = this.options.short
        ? SHORT_LIMIT_MINUTES
        : Math.max(...group.map((one) => one.limitMinutes));
      const groupRows = await this.inChild(group, limit, [], (row) => this.options.row(row));
      rows.push(...groupRows);
    }
    return rows;
  }

  /** Runs the short form of each proof with its mechanism switched off. */
  async mutations(proofs: readonly Proof[], report: (row: MutationRow) => void): Promise<MutationRow[]> {
    const rows: MutationRow[] = [];
    for (const proof of proofs) {
      const marks = join(temporaryFolder('mutation'), 'marks');
      const { what, replacements } = proof.mutation;
      const argv = mutationArgv(replacements, marks);
      const [result] = await this.inChild([proof], SHORT_LIMIT_MINUTES, argv, () => undefined);
      if (this.isOver) break;
      const applied = existsSync(marks) ? readFileSync(marks, 'utf8').split('\n') : [];
      const isApplied = replacements.every((_, i) => applied.includes(String(i)));
      const row = {
        id: proof.id,
        what,
        found: isApplied && result?.passed === false && result.measured !== ENDED && !isError(result),
        measured: isApplied ? (result?.measured ?? 'no result') : 'a replacement had no effect',
        seconds: result?.seconds ?? 0,
      };
      rows.push(row);
      report(row);
    }
    return rows;
  }

  /** Whether the suite was ended before its last proof. */
  get isEnded(): boolean {
    return this.isOver;
  }

  /** Ends the proof in progress. Its services end with it. */
  end(): void {
    this.isOver = true;
    this.child?.kill('SIGKILL');
  }

  private async inChild(
    group: readonly Proof[],
    limitMinutes: number,
    execArgv: string[],
    report: (row: ProofRow) => void,
  ): Promise<ProofRow[]> {
    if (this.isOver) return [];
    const ids = group.map(({ id }) => id);
    const { seed, short } = this.options;
    const child = fork(
      CHILD,
      [ids.join(','), String(seed), short || execArgv.length > 0 ? 'short' : 'long'],
      {
        execArgv,
        env: { ...process.env, NODE_OPTIONS: '' },
        // The lines of a mutated proof are those of a failure that is expected.
        stdio: ['ignore', execArgv.length > 0 ? 'ignore' : 'inherit', 'inherit', 'ipc'],
      },
    );
    this.child = child;
    const rows: ProofRow[] = [];
    child.on('message', (message) => {
      const row = message as ProofRow;
      rows.push(row);
      report(row);
    });
    const began = performance.now();
    const late = setTimeout(() => child.kill('SIGKILL'), limitMinutes * 60_000);
    await new Promise((resolve) => child.once('exit', resolve));
    clearTimeout(late);
    const seconds = Math.round((performance.now() - began) / 1000);
    const why = seconds >= limitMinutes * 60 ? `no result within ${limitMinutes} min` : ENDED;
    for (const id of ids.filter((one) => !rows.some((row) => row.id === one))) {
      const row = { id, measured: why, passed: false, seconds };
      rows.push(row);
      if (!this.isOver) report(row);
    }
    return rows;
  }
}

function groups(proofs: readonly Proof[]): Proof[][] {
  const result: Proof[][] = [];
  for (const proof of proofs) {
    const same = result.find(([first]) => proof.shares !== undefined && first?.shares === proof.shares);
    if (same === undefined) result.push([proof]);
    else same.push(proof);
  }
  return result;
}

import { fieldProblems, InvalidInput, z, type FieldProblem, type Pages } from '@casefile/contracts';

/** Most rows of a page, and most bytes of the file in it. Copying such a page takes some milliseconds. */
const ROWS = 500;
const BYTES = 200_000;

/** Collects rows into pages. */
export class PageKeeper<Row> {
  private page: Row[] = [];
  private bytes = 0;
  /** Number of all rows. */
  total = 0;

  constructor(private readonly keep: (page: Row[]) => void) {}

  /** @param bytes Size of the row in its file. */
  add(row: Row, bytes: number): void {
    this.page.push(row);
    this.total += 1;
    this.bytes += bytes;
    if (this.page.length >= ROWS || this.bytes >= BYTES) this.end();
  }

  /** Keeps the last page. */
  end(): void {
    if (this.page.length > 0) this.keep(this.page);
    [this.page, this.bytes] = [[], 0];
  }
}

/** Returns rows that are in memory, in pages of the same size. */
export function inPages<Row>(rows: readonly Row[]): Pages<Row[]> {
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, i) =>
    rows.slice(i * ROWS, (i + 1) * ROWS),
  );
}

/**
 * Validates pages one by one.
 * @param check Validates one page. `before` is the number of rows in earlier pages.
 * @throws the error of `check`.
 */
export async function* checkedPages<Row>(
  pages: Pages<readonly Row[]>,
  check: (page: readonly Row[], before: number) => Row[],
): AsyncGenerator<Row[]> {
  let before = 0;
  for await (const page of pages) {
    yield check(page, before);
    before += page.length;
  }
}

/**
 * Validates rows.
 * @param what name of the rows in the error.
 * @param before number of rows that precede these.
 * @throws InvalidInput that names every wrong `[i].field`.
 */
export function checkedRows<Row>(
  schema: z.ZodType<Row>,
  rows: readonly Row[],
  what: string,
  before = 0,
): Row[] {
  const problems: FieldProblem[] = [];
  const checked = rows.flatMap((row, i) => {
    const parsed = schema.safeParse(row);
    if (parsed.success) return [parsed.data];
    for (const { path, message } of fieldProblems(parsed.error))
      problems.push({ path: `[${before + i}]${/^(?:\[|$)/.test(path) ? '' : '.'}${path}`, message });
    return [];
  });
  if (problems.length > 0) throw new InvalidInput(problems, what);
  return checked;
}

/** Returns pages whose rows are changed when they are read. */
export function mapPages<From, To>(pages: Pages<From>, change: (page: From) => To | Promise<To>): Pages<To> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of pages) yield await change(page);
    },
  };
}

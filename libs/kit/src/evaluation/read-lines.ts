import { fieldProblems, InvalidInput, type FieldProblem, type z } from '@casefile/contracts';
import { readInputFile } from '../files/read-input-file.js';
import { refuseLimit, spread, type DatasetOptions } from './dataset.js';

/**
 * Reads a labelled set with one JSON object per line.
 * @throws InvalidInput that names every wrong line and field; CasefileError `unreadable_file`.
 */
export async function readLines<T extends { id: string }>(
  path: string,
  schema: z.ZodType<T>,
  options: DatasetOptions,
): Promise<T[]> {
  refuseLimit(path, options);
  const problems: FieldProblem[] = [];
  const lineOf = new Map<string, number>();
  const items = (await readInputFile(path)).split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === '') return [];
    const place = `line ${i + 1}`;
    const value = parsed(line);
    if (value instanceof SyntaxError) {
      problems.push({ path: place, message: `expected JSON: ${value.message}` });
      return [];
    }
    const read = schema.safeParse(value);
    if (!read.success) {
      problems.push(
        ...fieldProblems(read.error).map(({ path: at, message }) => ({ path: `${place}: ${at}`, message })),
      );
      return [];
    }
    const before = lineOf.get(read.data.id);
    if (before !== undefined)
      problems.push({ path: `${place}: id`, message: `is the id of line ${before} as well` });
    lineOf.set(read.data.id, before ?? i + 1);
    return [read.data];
  });
  if (items.length === 0 && problems.length === 0)
    problems.push({ path: '', message: 'expected at least one item' });
  if (problems.length > 0) throw new InvalidInput(problems, 'dataset');
  return spread(items, options.limit ?? null);
}

/** Returns the value of a line of JSON, or the error if it is none. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    return error;
  }
}

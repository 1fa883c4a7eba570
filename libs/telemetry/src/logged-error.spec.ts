import { CasefileError } from '@casefile/contracts';
import { createLogger } from './logger.js';

const SECRET = 'kanarie7';

function logged(facts: object, bindings: object = {}): { line: string; read: Record<string, never> } {
  let line = '';
  const destination = { write: (text: string) => void (line += text) };
  createLogger({ level: 'info', service: 'test', destination }).child(bindings).warn(facts, 'm');
  return { line, read: JSON.parse(line) as Record<string, never> };
}

/** An error with content in each property that drivers use, and in others. */
const loaded = () =>
  Object.assign(
    new Error('the driver failed', { cause: Object.assign(new Error('lower'), { where: SECRET }) }),
    {
      code: '23505',
      command: { name: 'hello', args: [SECRET] },
      detail: SECRET,
      parameters: [SECRET],
      previousErrors: [new Error(SECRET)],
      anyOther: SECRET,
    },
  );

describe('an error in a log line', () => {
  it('has its class, codes, message, stack and causes, and none of its other properties', () => {
    const error = new CasefileError('store_error', 'refused', {
      details: { row: SECRET },
      retryable: true,
      cause: loaded(),
    });
    const { line, read } = logged({ error });
    expect(line).not.toContain(SECRET);
    expect(read['error']).toEqual({
      type: 'CasefileError',
      reasonCode: 'store_error',
      message: 'refused',
      retryable: true,
      stack: expect.stringMatching(/^CasefileError: refused\n {4}at .*logged-error\.spec/),
      cause: {
        type: 'Error',
        code: '23505',
        message: 'the driver failed',
        stack: expect.stringContaining('Error: the driver failed\n    at '),
        cause: expect.objectContaining({ message: 'lower' }),
      },
    });
  });

  it.each([
    ['under any name', (error: Error) => logged({ error, err: error, why: error })],
    ['in a list and an object', (error: Error) => logged({ all: [{ error }, [error]] })],
    ['as the facts themselves', (error: Error) => logged(error)],
    ['in the facts of a child', (error: Error) => logged({}, { error })],
  ])('is reduced %s', (_where, write) => {
    const { line } = write(loaded());
    expect(line).not.toContain(SECRET);
    expect(line).toContain('the driver failed');
  });

  it('that is its own cause is written once more and not for ever', () => {
    const error = new Error('round');
    error.cause = error;
    expect(logged({ error }).line.match(/"message":"round"/g)).toHaveLength(5);
  });
});

import { messageWithoutValues, stackWithoutValues } from './without-values.js';

const SECRET = 'kanarie7';

/** An error of a driver. */
const error = (message: string, facts: object = {}) => Object.assign(new Error(message), facts);

function parseFailure(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    return thrown;
  }
}

describe('the message of an error without values', () => {
  it.each([
    [error(`invalid input syntax for type uuid: "${SECRET} "x" y"`, { code: '22P02' }), 'uuid: "..."'],
    [error(`ungültige Eingabe für Typ uuid: „${SECRET}“`, { code: '22P02' }), 'Typ uuid: "..."'],
    [error(`syntax error at or near "${SECRET}"`, { code: '42601' }), 'at or near "..."'],
    [error(`value "1\n${SECRET}" is out of range`, { code: '22003' }), 'value "..." is out of range'],
    [parseFailure(`{"text": ${SECRET}`), 'Unexpected token "..."'],
    [new Error(`no answer: ${String(parseFailure(`${SECRET} "a" b`))}`), '"..." is not valid JSON'],
    [error(`ERR unknown command 'x', with args beginning with: '${SECRET}'`), "ERR unknown command 'x'"],
    [
      Object.assign(new Error(`Invalid call({ text: "${SECRET}" })\n\nUnique constraint failed`), {
        name: 'PrismaClientKnownRequestError',
      }),
      'Unique constraint failed',
    ],
  ])('keeps what is wrong of %s', (thrown, kept) => {
    const message = messageWithoutValues(thrown);
    expect(message).toContain(kept);
    expect(message).not.toContain(SECRET.slice(0, 3));
    expect(stackWithoutValues(thrown as Error)).not.toContain(SECRET.slice(0, 3));
  });

  it.each([
    error('duplicate key value violates unique constraint "cases_pkey"', { code: '23505' }),
    error('password authentication failed for user "casefile"', { code: '28P01' }),
    error('write EPIPE', { code: 'EPIPE' }),
    error('The field "a" has the value "b"'),
  ])('is the whole message of %s', (thrown) => {
    expect(messageWithoutValues(thrown)).toBe(thrown.message);
  });

  it('is that of the parts if the error has none', () => {
    const parts = ['connect ECONNREFUSED ::1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'];
    expect(messageWithoutValues(new AggregateError(parts.map((part) => new Error(part))))).toBe(
      parts.join('; '),
    );
  });
});

import { asStoreError } from './store-errors.js';

it.each([
  [
    '53100',
    'could not extend file "base/5/1": No space left on device',
    /^The database has no space left on its disk: could not extend file/,
  ],
  ['25006', 'cannot execute INSERT in a read-only transaction', /^The database takes no writes: /],
  ['53300', 'sorry, too many clients already', /^The database cannot work now: /],
])('T-20 the error of a database that cannot write names why: %s', (code, message, text) => {
  expect(asStoreError(Object.assign(new Error(message), { code }))).toMatchObject({
    reasonCode: 'store_unreachable',
    retryable: true,
    message: expect.stringMatching(text),
    details: { sqlState: code },
  });
});

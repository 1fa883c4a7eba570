import { passesItsTest } from '../testing/made-kind.js';

it.each(['tool', 'model', 'policy', 'model,policy', 'model,tool,policy'])(
  'a kind of case that is made with %s passes its own test',
  (parts) => passesItsTest(parts),
);

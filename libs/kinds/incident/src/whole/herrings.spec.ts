import { herrings } from '../testing/herrings.js';
import { confirmsTheCauseAlone } from '../testing/herrings.suite.js';

describe('T-61 an incident with a louder fault that has nothing to do with it', () => {
  it.each(herrings().map((one) => [one.id, one] as const))('%s: confirms the cause alone', (_id, herring) =>
    confirmsTheCauseAlone(herring),
  );
});

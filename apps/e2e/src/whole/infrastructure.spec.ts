import { runScenario } from '../infrastructure/scenario.js';
import { SCENARIOS } from '../infrastructure/scenarios.js';
import { systemDatabase } from '../testing/system-database.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

const CASES = 20;

describe('on the engines that teams run', () => {
  it.each(SCENARIOS.map((scenario) => ({ ...scenario, scenario })))(
    'E-08 $name: $what',
    async ({ scenario }) => {
      const { failures } = await runScenario(scenario, { cases: CASES, database: systemDatabase });
      expect(failures).toEqual([]);
    },
    2 * WHOLE_SYSTEM_MS,
  );
});

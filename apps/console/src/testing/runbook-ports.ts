import type { ConsolePorts } from '../console-ports.js';
import type { ConsoleFake } from './console-fake.js';

/** The runbooks of a console under test. */
export function runbookPorts(fake: ConsoleFake): ConsolePorts['runbooks'] {
  return {
    listRunbooks: async () =>
      fake.runbooks.flatMap(({ versions, rules, isDefault }) =>
        versions.slice(0, 1).map(({ text: _text, ...version }) => ({ ...version, rules, isDefault })),
      ),
    getRunbook: async (name) => fake.runbooks.find((one) => one.name === name) ?? null,
    matchRunbooks: async (questions) =>
      questions.map(({ alertType }) => ({ alertType, found: false, why: 'no rule fits' })),
  };
}

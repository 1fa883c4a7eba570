import { CasefileError, done } from '@casefile/contracts';
import { fallBack } from '../answer-or-fall-back.js';
import { runTurns } from '../react/turns.js';
import { turnOptionsOf } from '../react/turn-options.js';
import type { Strategy } from '../strategy.js';

const STRATEGY = 'react';

/**
 * Lets a model choose its tools turn by turn until it finishes (reason and act). The unit waits suspended while tools
 * run, and every turn is on the record. S4-01 to S4-06.
 */
export const react: Strategy = {
  name: STRATEGY,
  async reason(input, ports) {
    const { playbook, settings } = ports.run;
    const { controller } = playbook;
    if (controller === undefined)
      throw new CasefileError('bad_playbook', `${playbook.name} has no controller`);
    if (!ports.model.available) return fallBack(STRATEGY, input, ports, 'no_provider');
    const end = await runTurns({ controller, input, ports, options: turnOptionsOf(settings) });
    if ('kind' in end) return end;
    const draft = await controller.settle(end, input, ports);
    return done({ ...draft, strategy: STRATEGY, promptId: controller.id });
  },
};

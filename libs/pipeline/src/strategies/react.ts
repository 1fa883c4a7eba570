import { done } from '@casefile/contracts';
import { fallBack } from '../answer-or-fall-back.js';
import type { Controller } from '../react/controller.js';
import { runTurns } from '../react/turns.js';
import { turnOptionsOf } from '../react/turn-options.js';
import type { Rules, Strategy } from '../strategy.js';

const STRATEGY = 'react';

/**
 * Lets a model choose its tools turn by turn until it finishes (reason and act). The unit waits suspended while tools
 * run, and every turn is on the record. S4-01 to S4-06.
 */
export function react(controller: Controller, rules: Rules): Strategy {
  return {
    promptIds: { controller: controller.id },
    tools: controller.tools,
    async reason(input, ports) {
      if (!ports.model.available) return fallBack({ strategy: STRATEGY, rules }, input, ports, 'no_provider');
      const options = turnOptionsOf(ports.run.settings);
      const end = await runTurns({ controller, input, ports, options });
      if ('kind' in end) return end;
      const draft = await controller.settle(end, input, ports);
      return done({ ...draft, strategy: STRATEGY, promptId: controller.id });
    },
  };
}

import { named } from '../named.js';
import type { Playbook } from '../playbook.js';
import type { Strategy } from '../strategy.js';
import { grounded } from './grounded.js';
import { heuristic } from './heuristic.js';
import { react } from './react.js';
import { rules } from './rules.js';
import { singleShot } from './single-shot.js';

/** Every way a reasoner can work. */
export const strategies: readonly Strategy[] = [grounded, heuristic, react, rules, singleShot];

/** @throws CasefileError `unknown_strategy` that lists the known ones. */
export const strategyNamed = named('strategy', strategies);

/** The strategy of a name among those that a playbook offers. @throws CasefileError `unknown_strategy` that lists those. */
export function strategyOf(playbook: Pick<Playbook, 'strategies'>, name: string): Strategy {
  return named('strategy', playbook.strategies.map(strategyNamed))(name);
}

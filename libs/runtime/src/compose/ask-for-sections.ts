import type { ToolModel } from '@casefile/contracts';
import type { ChooseSections } from '@casefile/evidence';
import { ask, chooseSections } from '@casefile/pipeline';

/**
 * Has a model choose sections of a policy: each question of a search is a step of its tool call. S4-10.
 * @throws CasefileError `invalid_answer` when the answer names none as it was asked to.
 */
export function askForSections(model: ToolModel, deadlineAt: number): ChooseSections {
  const draw = { seed: model.seed, deadlineAt };
  let step = 0;
  return async (offered) => {
    step += 1;
    const asked = await ask(chooseSections(offered), { model, draw, steps: [step] });
    if ('value' in asked) return asked.value;
    throw asked.error;
  };
}

import type { ToolModel } from '@casefile/contracts';
import type { ChooseSections } from '@casefile/evidence';
import { chooseSectionsRequest, chosenSections } from '@casefile/pipeline';

/** Has a model choose sections of a policy: each question of a search is a step of its tool call. S4-10. */
export function askForSections(model: ToolModel, deadlineAt: number): ChooseSections {
  let step = 0;
  return async (question) => {
    step += 1;
    const request = chooseSectionsRequest(question, { seed: model.seed, step });
    const { content } = await model.call(step, request, deadlineAt);
    return chosenSections(content);
  };
}

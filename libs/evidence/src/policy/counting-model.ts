import { UnusableAnswer, type ModelResponse, type ToolModel } from '@casefile/contracts';

/** What was paid to models. */
export interface ModelSpending {
  inputTokens: number;
  outputTokens: number;
  /** US dollars at list price; null: of one call the price is not known. */
  costUsd: number | null;
}

/** A model that counts what its answers came to, those that could not be used included. */
export function countingModel(model: ToolModel): { model: ToolModel; usage(): ModelSpending } {
  const spent: ModelSpending = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const count = ({ usage, costUsd }: ModelResponse): void => {
    spent.inputTokens += usage.inputTokens;
    spent.outputTokens += usage.outputTokens;
    spent.costUsd = spent.costUsd === null || costUsd === null ? null : spent.costUsd + costUsd;
  };
  return {
    usage: () => ({ ...spent }),
    model: {
      available: model.available,
      seed: model.seed,
      call: async (step, request, deadlineAt) => {
        try {
          const response = await model.call(step, request, deadlineAt);
          count(response);
          return response;
        } catch (thrown) {
          if (thrown instanceof UnusableAnswer) count(thrown.response);
          throw thrown;
        }
      },
    },
  };
}

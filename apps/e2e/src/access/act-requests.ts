import { DELIVERY_ACTS } from './delivery-act-requests.js';
import { OPERATION_ACTS } from './operation-act-requests.js';
import { REVIEW_ACTS } from './review-act-requests.js';
import { ROLLOUT_ACTS } from './rollout-act-requests.js';
import { SOURCE_ACTS } from './source-act-requests.js';

/** A request of each POST route of the console's API, by its operation. */
export const ACT_REQUESTS = {
  ...REVIEW_ACTS,
  ...OPERATION_ACTS,
  ...DELIVERY_ACTS,
  ...ROLLOUT_ACTS,
  ...SOURCE_ACTS,
};

/** Routes whose act other specs check, with the reason. */
export const NOT_REQUESTED: Record<string, string> = {
  renderPrompt: 'needs a case that asked a model; readings.spec.ts reads it',
  startEvolution:
    'needs a model and 20 labelled cases; its act is recorded as those of pause, resume and stop',
};

import { acknowledgeRoutes } from './acknowledge.js';
import { alertRoutes } from './alerts.js';
import { bulkReviewRoutes } from './bulk-reviews.js';
import { auditRoutes } from './audit.js';
import { caseRoutes, historyRoutes } from './cases.js';
import { deadLetterRoutes } from './dead-letters.js';
import { decisionFileRoutes } from './decision-file.js';
import { destinationRoutes } from './destinations.js';
import { engagementRoutes } from './engagements.js';
import { erasureRoutes } from './erasures.js';
import { evolutionRoutes } from './evolutions.js';
import { experimentRoutes } from './experiments.js';
import { feedbackRoutes } from './feedback.js';
import { flagRoutes } from './flags.js';
import { importRoutes } from './imports.js';
import { inboxRoutes } from './inbox.js';
import { operationRoutes } from './operations.js';
import { keyRoutes } from './keys.js';
import { policyRoutes } from './policies.js';
import { promptRenderRoutes, promptRoutes } from './prompts.js';
import { proposalRoutes } from './proposals.js';
import { qualityRoutes } from './quality.js';
import { recalibrationRoutes } from './recalibrations.js';
import { rerunRoutes } from './rerun.js';
import { reviewRoutes } from './reviews.js';
import { runbookRoutes } from './runbooks.js';
import { scheduleRoutes } from './schedules.js';
import { sessionRoutes } from './sessions.js';
import { silenceRoutes } from './silences.js';
import { seriesRoutes } from './series.js';
import { sourceRoutes } from './sources.js';

/** The ops API, below `/api/v1`. */
export const routes = [
  ...caseRoutes,
  ...decisionFileRoutes,
  ...alertRoutes,
  ...rerunRoutes,
  ...promptRoutes,
  ...promptRenderRoutes,
  ...evolutionRoutes,
  ...flagRoutes,
  ...experimentRoutes,
  ...inboxRoutes,
  ...reviewRoutes,
  ...bulkReviewRoutes,
  ...feedbackRoutes,
  ...qualityRoutes,
  ...recalibrationRoutes,
  ...seriesRoutes,
  ...policyRoutes,
  ...runbookRoutes,
  ...importRoutes,
  ...proposalRoutes,
  ...operationRoutes,
  ...sourceRoutes,
  ...auditRoutes,
  ...keyRoutes,
  ...erasureRoutes,
  ...historyRoutes,
  ...engagementRoutes,
  ...deadLetterRoutes,
  ...destinationRoutes,
  ...acknowledgeRoutes,
  ...silenceRoutes,
  ...scheduleRoutes,
  ...sessionRoutes,
];

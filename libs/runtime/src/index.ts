export {
  AccessGuard,
  callerFrom,
  endWhenRefused,
  requireRight,
  statedError,
  type Authenticator,
  type StateOutage,
} from './access/access-guard.js';
export { AccessTable, type AccessEntry } from './access/access-table.js';
export { CheckedCallers, checkedCallers } from './access/checked-callers.js';
export { FIRST_KEY } from './access/access-mode.js';
export { KeyAuthenticator } from './access/key-authenticator.js';
export { keyDigest, keyId, newKey } from './access/key-format.js';
export { createKey, rotateKey } from './access/key-requests.js';
export { sentBy } from './access/alert-sender.js';
export { SHARED_ENTRIES } from './access/shared-entries.js';
export { actingAs, rolesScript } from '@casefile/store';
export { AttemptLimit } from './access/attempt-limit.js';
export * from './compose/check-mcp-servers.js';
export * from './compose/connect.js';
export * from './compose/heap-growth.js';
export * from './compose/knowledge.js';
export * from './compose/launch.js';
export * from './compose/open-database.js';
export * from './compose/platform.js';
export * from './compose/dataset-pipeline.js';
export * from './compose/shutdown.js';
export { importStartingSet } from './compose/starting-set.js';
export * from './compose/system.js';
export * from './compose/tools.js';
export { measureConditions } from './conditions/conditions.js';
export { readSchedules } from './conditions/condition-sources.js';
export type { QueueReading } from './conditions/queue-reader.js';
export { stateReaders } from './conditions/state-readers.js';
export { storeWatches } from './conditions/store-watches.js';
export { outageError, storeOutCondition } from './conditions/stores-out.js';
export * from './config/child-environment.js';
export { configuredFirst, readAddedDestination } from './config/added-destinations.js';
export type { ConfiguredOidc } from './config/access-settings.js';
export { DEFAULT_URLS, shownAddress, type ConfiguredDestination } from './config/destination-settings.js';
export { readSourceFile, shippedSources } from './data-sources/shipped-sources.js';
export { openDestinations } from './destinations/open-destinations.js';
export type { ConfiguredMcpServer } from './config/mcp-settings.js';
export * from './config/read-config.js';
export * from './config/simulator-config.js';
export { configurationEntries } from './config/configuration-entries.js';
export type { Environment } from './config/environment-schema.js';
export type { SettingsFile } from './config/settings-schema.js';
export { effectiveSettings } from './config/effective-settings.js';
export * from './installation/describe-installation.js';
export * from './installation/freeze-settings.js';
export { Heartbeat } from './installation/heartbeat.js';
export {
  NO_SOURCE,
  startingSet,
  STARTING_BASES,
  sourceOnDisk,
  wholeContent,
  type EmptyBase,
  type ImportNews,
  type ImportSource,
} from '@casefile/knowledge';
export { alertsOfPost } from './intake/alerts-of-post.js';
export { buryAlert } from './intake/bury-alert.js';
export * from './intake/accept-options.js';
export * from './intake/intake.js';
export * from './intake/intake-document.js';
export * from './intake/take-post.js';
export * from './intake/try-webhook.js';
export * from './intake/wait-for-verdict.js';
export { formatAt, configFormats, intakeFormats, configSecrets } from './intake/formats/index.js';
export { CUSTOM_WEBHOOKS } from './intake/custom-webhook.js';
export { MOST_SILENCE_BYTES, silencesIn } from './silences/alertmanager-reader.js';
export { signDecision, decisionText, type DecisionSource } from './decision-file/decision-file.js';
export { keyFingerprint, readSigningKey } from './decision-file/signing-key.js';
export { verifyDecision, type VerifiedDecision } from './decision-file/verify-decision.js';
export { answerFields, outcomeCodes } from './feedback/answer-fields.js';
export { actFields, answerAct, noCase, kindPresenting } from './feedback/answer-act.js';
export { recordAnswer } from './feedback/record-answer.js';
export {
  feedbackPorts,
  keepReport,
  recordReport,
  takeReport,
  type ReportPorts,
  type TakenReport,
} from './feedback/record-report.js';
export { claimPort } from './nest/claim-port.js';
export * from './nest/openapi.js';
export * from './nest/problem-filter.js';
export { guardRequests, isKnownHost, isSameOrigin } from './nest/request-guard.js';
export * from './nest/service.js';
export { missingPrice } from './rerun/rerun.js';
export { previewApply } from './rerun/batch-driver.js';
export * from './rerun/rerun.js';
export { assignBucket, inShare } from './rollout/assign.js';
export * from './rollout/rollout-copy.js';
export { SettingsCopy } from './installation/settings-copy.js';
export { withArm } from './rollout/with-arm.js';
export {
  injectedId,
  evolvableNames,
  isEvolvable,
  planEvolution,
  type EvolutionAsk,
} from './evolve/evolution-runs.js';
export {
  installPrompts,
  findProblem as promptProblem,
  promptNamed,
  splitName,
  versionedPrompts,
} from './config/installed-prompts.js';
export {
  configuredBudgets,
  OneModel,
  SWEEPER_LIMITS,
  textDigest,
  type InstalledPrompt,
} from '@casefile/engine';
export { PLATFORM, SERVICE_STATE } from './nest/service-state.js';
export { METRICS } from '@casefile/telemetry';
export { placeSource, wireName } from '@casefile/evidence';
export {
  ALERTS,
  BullMqContext as JobContext,
  FEEDBACK,
  queueName,
  stageTopic,
  toolTopic,
} from '@casefile/queue';
export { bodyDigest } from './intake/fingerprint.js';
export type { ModelProbe } from '@casefile/llm';
export { probeConfigured, type ModelProbes } from './compose/configured-probes.js';
export { feedSettingsSchema, readFeedSettings } from './config/feed-settings.js';
export { FeedWorker } from './schedules/feed-worker.js';
export { ScheduleDriver, shownSchedules } from './schedules/schedule-driver.js';
export { matcherProblems, silenceFor } from './silences/matching.js';
export { AlertmanagerReader } from './silences/alertmanager-reader.js';
export { pageLinkHash } from './destinations/attempt-delivery.js';

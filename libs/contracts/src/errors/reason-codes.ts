import type { Reason } from './reason.js';

const BOTH = ['model', 'tool'] as const;

/** Every reason code that is stored, counted or shown. A code that is not listed here does not compile. */
export const REASONS = {
  // The worker itself: the work is not judged by these, and no fallback is used.
  aborted: { of: 'worker', words: 'the call was cancelled' },
  stale_lease: { of: 'worker', words: 'another worker has taken over' },
  stopping: { of: 'worker', words: 'the process is stopping' },
  store_unreachable: { of: 'worker', words: 'the database cannot be reached' },
  queue_unusable: { of: 'worker', words: 'this form of queue store can never work' },
  queue_unavailable: { of: 'worker', words: 'the queue cannot be reached' },

  // A replay, which reads the record of another run.
  evidence_miss: { of: 'record', words: 'the record that is read again has no answer to it' },
  answer_under_way: { of: 'record', words: 'another run is about to answer the same question' },
  storm_undecided: { of: 'record', words: 'the storm that its alert belongs to is not judged yet' },
  batch_budget: { of: 'record', words: 'the budget of its batch is used up' },

  // Providers of models and tools.
  rate_limited: {
    of: 'provider',
    words: 'its provider takes no more calls for now',
    retry: true,
    outage: BOTH,
    free: true,
    degradedBy: 'model_out',
  },
  server_error: {
    of: 'provider',
    words: 'its provider failed',
    retry: true,
    outage: BOTH,
    free: true,
    degradedBy: 'model_out',
  },
  network: {
    of: 'provider',
    words: 'there was no connection to it',
    retry: true,
    outage: BOTH,
    degradedBy: 'model_out',
  },
  timeout: {
    of: 'provider',
    words: 'it did not answer in time',
    retry: true,
    outage: BOTH,
    degradedBy: 'timeout',
  },
  deadline: { of: 'provider', words: 'it did not answer in time', degradedBy: 'timeout' },
  quota_exhausted: {
    of: 'provider',
    words: 'the quota of the account is used up',
    outage: BOTH,
    account: true,
    free: true,
    degradedBy: 'model_out',
  },
  bad_key: {
    of: 'provider',
    words: 'its provider refuses the key',
    outage: BOTH,
    account: true,
    free: true,
    degradedBy: 'model_out',
  },
  circuit_open: {
    of: 'provider',
    words: 'its provider is out and was not asked',
    outage: ['model'],
    degradedBy: 'model_out',
  },
  bad_request: {
    of: 'provider',
    words: 'its provider does not take the question',
    final: true,
    free: true,
    degradedBy: 'refused',
  },
  unknown_model: {
    of: 'provider',
    words: 'its provider does not have the model',
    outage: ['model'],
    final: true,
    free: true,
    degradedBy: 'model_unknown',
  },
  no_provider: { of: 'setup', words: 'no language model is configured' },
  fallback_provider: {
    of: 'provider',
    words: 'another provider of its list answered',
    degradedBy: 'other_model',
  },
  cheaper_model: { of: 'money', words: 'a cheaper model answered', degradedBy: 'other_model' },

  // One answer of a model or tool.
  empty_answer: { of: 'answer', words: 'the answer was empty', retry: true, degradedBy: 'unreadable' },
  cut_answer: { of: 'answer', words: 'the answer was cut off', retry: true, degradedBy: 'unreadable' },
  bad_answer: {
    of: 'answer',
    words: 'the answer could not be used',
    outage: ['tool'],
    degradedBy: 'unreadable',
  },
  invalid_answer: { of: 'answer', words: 'its answer could not be used', degradedBy: 'unreadable' },
  planted_supported: {
    of: 'answer',
    words: 'the examiner supported a claim that was planted as false',
    degradedBy: 'unreadable',
  },
  invalid_schema: {
    of: 'answer',
    words: 'the answer did not have the form it needs',
    degradedBy: 'unreadable',
  },
  too_large: {
    of: 'answer',
    words: 'it is larger than what is taken',
    final: true,
    degradedBy: 'unreadable',
  },
  refused: { of: 'answer', words: 'the model refused to answer', final: true, degradedBy: 'refused' },
  reasoning_not_read: { of: 'answer', words: 'the reasoning could not be read' },
  // Money.
  budget_exhausted: { of: 'money', words: 'a budget is used up', degradedBy: 'budget' },
  budget_exceeded: { of: 'money', words: 'the limit of tokens or money was reached', degradedBy: 'budget' },
  unknown_price: {
    of: 'money',
    words: 'a budget counts money, and the price of the model is not known',
    degradedBy: 'budget',
  },
  // A check without a result, or with a result by a fallback.
  low_confidence: { of: 'check', words: 'too little confidence for an answer' },
  missing_evidence: { of: 'check', words: 'a fact that it turns on is missing or in doubt' },
  insufficient_policy_context: { of: 'check', words: 'no sentence of the policy plainly decides it' },
  answer_contradicted: { of: 'check', words: 'something on the record contradicts the answer' },
  answer_not_supported: { of: 'check', words: 'the cited sources do not support the answer' },
  refusal_not_confirmed: { of: 'check', words: 'neither rules nor an examination confirm the refusal' },
  answer_not_examined: { of: 'check', words: 'a second model question did not confirm the answer' },
  no_relevant_nodes: { of: 'check', words: 'no section of the policy speaks of it' },
  max_iterations_reached: {
    of: 'check',
    words: 'the model did not finish within its turns',
    degradedBy: 'unfinished',
  },
  no_progress: {
    of: 'check',
    words: 'the look-ups of the model brought nothing new any more',
    degradedBy: 'unfinished',
  },
  resolved: { of: 'input', words: 'its sender said that it is over' },
  rate_limit_exceeded: {
    of: 'check',
    words: 'the provider of the model took no more calls',
    degradedBy: 'model_out',
  },
  tool_timeout: { of: 'check', words: 'a look-up did not answer in time', degradedBy: 'lookups_failed' },
  tool_error: { of: 'check', words: 'a look-up failed' },
  llm_error: { of: 'check', words: 'the call of the model failed', degradedBy: 'model_out' },
  llm_fallback: { of: 'check', words: 'the model failed, so the rules decided', degradedBy: 'model_out' },
  retrieval_failed: {
    of: 'check',
    words: 'a look-up that the answer rests on failed',
    degradedBy: 'lookups_failed',
  },
  routing_failed: {
    of: 'check',
    words: 'the language of the text could not be detected',
    degradedBy: 'language_unknown',
  },
  no_text: { of: 'check', words: 'no text could be read', degradedBy: 'no_text' },
  no_section_named: { of: 'check', words: 'none of the offered sections was named' },

  // Look-ups.
  not_configured: { of: 'setup', words: 'it is not configured' },
  variable_missing: { of: 'setup', words: 'a variable that it needs is not set' },
  withheld: { of: 'program', words: 'what it said could not be looked through for secrets' },
  not_approved: { of: 'setup', words: 'what its server says of it now was not approved' },
  address_refused: { of: 'input', words: 'its address is not public' },
  robots_refused: { of: 'provider', words: 'the site asks programs not to read this page' },
  redirect_refused: { of: 'provider', words: 'it redirects to where no request goes' },
  not_a_domain: { of: 'input', words: 'there is no registrable domain in it' },
  invalid_arguments: { of: 'input', words: 'its arguments are not valid' },
  unknown_tool: { of: 'input', words: 'there is no such tool' },
  unknown_policy: { of: 'input', words: 'there is no such policy' },
  unknown_runbook: { of: 'input', words: 'there is no such runbook' },
  unknown_section: { of: 'input', words: 'there is no such section' },
  no_embedder: { of: 'setup', words: 'the sentence encoder cannot be loaded' },
  dimension_mismatch: { of: 'setup', words: 'vectors of another embedder are stored' },
  no_identifier: { of: 'setup', words: 'the language identifier cannot be loaded' },
  identifier_failed: { of: 'program', words: 'the language identifier failed' },
  ocr_failed: { of: 'program', words: 'reading the image failed' },
  closed: { of: 'worker', words: 'it is closed' },

  // Input.
  invalid_input: { of: 'input', words: 'the input is not valid' },
  unreadable_image: { of: 'input', words: 'the image cannot be read' },
  unreadable_file: { of: 'input', words: 'the file cannot be read' },
  unreadable_document: { of: 'input', words: 'the document cannot be read' },
  empty_document: { of: 'input', words: 'the document is empty' },
  encrypted_document: { of: 'input', words: 'the document is encrypted' },
  unknown_encoding: { of: 'input', words: 'its encoding is not known' },
  unknown_format: { of: 'input', words: 'its format is not known' },
  idempotency_key_reused: { of: 'input', words: 'its key was used before with another body' },
  overloaded: { of: 'worker', words: 'too much waits already' },
  not_found: { of: 'input', words: 'there is no such thing' },
  conflict: { of: 'input', words: 'it is not in a state for that' },
  contradicts_record: { of: 'input', words: 'the answer contradicts the record of the run' },
  needs_an_answer: { of: 'input', words: 'the verdict asks for an answer' },
  too_many: { of: 'input', words: 'there are as many as there may be' },
  unknown_case: { of: 'input', words: 'there is no such case' },
  ambiguous_case: { of: 'input', words: 'several cases are called so' },
  unknown_playbook: { of: 'input', words: 'there is no such kind of case' },
  unknown_strategy: { of: 'input', words: 'there is no such strategy' },
  wrong_usage: { of: 'input', words: 'the command is not used so' },
  method_not_allowed: { of: 'input', words: 'the path does not take this method' },
  refused_request: { of: 'input', words: 'the request is not taken' },
  bad_signature: { of: 'input', words: 'it is not signed with the secret that was agreed on' },
  unauthenticated: { of: 'input', words: 'the request proves no caller' },
  forbidden: { of: 'input', words: 'the caller has no right to it' },
  media_type: { of: 'input', words: 'the body is not of the type that is expected' },
  foreign_page: { of: 'input', words: 'requests of pages of other sites are not taken' },
  cookies_too_large: { of: 'input', words: 'the cookies are larger than what is taken' },
  unknown_host: { of: 'input', words: 'the service is not called by that name' },
  no_patterns: { of: 'input', words: 'no known patterns are imported' },
  crashed_intake: { of: 'input', words: 'taking it in ended the process more than once' },
  intake_failed: { of: 'program', words: 'taking it in failed' },
  crashed_repeatedly: { of: 'program', words: 'the stage ended its process three times' },

  // The installation.
  bad_configuration: { of: 'setup', words: 'the configuration is not valid' },
  missing_key: { of: 'setup', words: 'a key is missing' },
  unknown_provider: { of: 'setup', words: 'there is no such provider' },
  data_folder_in_use: { of: 'setup', words: 'the data folder is used by something else' },
  folder_not_private: { of: 'setup', words: 'the folder is not private' },
  cannot_run_as_root: { of: 'setup', words: 'Postgres does not run as root' },
  embedded_postgres_not_writable: { of: 'setup', words: 'the embedded Postgres is not writable' },
  platform_unsupported: { of: 'setup', words: 'there is no embedded Postgres for this platform' },
  initdb_failed: { of: 'setup', words: 'the embedded Postgres could not be created' },
  postgres_did_not_start: { of: 'setup', words: 'the embedded Postgres did not start' },
  postgres_error: { of: 'setup', words: 'Postgres refused a statement' },
  postgres_unreachable: { of: 'setup', words: 'Postgres cannot be reached' },
  not_embedded: { of: 'setup', words: 'it is not the embedded Postgres' },
  port_in_use: { of: 'setup', words: 'the port is in use' },
  port_not_free: { of: 'setup', words: 'the port is in use' },
  not_ready: { of: 'setup', words: 'a process was not ready in time' },
  stop_timeout: { of: 'setup', words: 'the stop took too long' },
  unreachable: { of: 'setup', words: 'nothing answers there' },
  redis_missing: { of: 'setup', words: 'the program redis-server is missing' },
  redis_did_not_start: { of: 'setup', words: 'redis-server did not start' },
  chromium_missing: { of: 'setup', words: 'the program chromium is missing' },
  program_missing: { of: 'setup', words: 'a program of the operating system is missing' },
  policy_missing: { of: 'setup', words: 'a document that tests read is missing' },
  nothing_written: { of: 'setup', words: 'no demonstration answer was written for it' },

  // The program: a developer must fix it.
  unexpected: { of: 'program', words: 'something unexpected happened', outage: ['tool'] },
  store_error: { of: 'program', words: 'the database refused a statement' },
  artifact_exists: { of: 'program', words: 'its artifact is on the record already' },
  interaction_exists: { of: 'program', words: 'the call is on the record already' },
  bad_artifact: { of: 'program', words: 'a stage made an artifact of the wrong shape' },
  stage_stuck: { of: 'program', words: 'the stage waited for too long without a call under way' },
  stage_asks_too_much: { of: 'program', words: 'the stage made more calls than a stage may' },
  bad_brief: { of: 'program', words: 'the brief cannot be read' },
  bad_change: { of: 'program', words: 'the change is not possible' },
  bad_draft: { of: 'program', words: 'the draft cannot be read' },
  bad_flow: { of: 'program', words: 'the flow is wrong' },
  bad_playbook: { of: 'program', words: 'a kind of case is wrongly composed' },
  calls_diverged: { of: 'program', words: 'other tools were asked at each rendering' },
  no_units: { of: 'program', words: 'the run has no unit' },
  unknown_stage: { of: 'program', words: 'there is no such stage' },
  unknown_queue: { of: 'program', words: 'there is no such queue' },
  unknown_topic: { of: 'program', words: 'nothing handles this topic' },
  two_handlers: { of: 'program', words: 'a topic has two handlers' },
  wrong_handler: { of: 'program', words: 'the queue gives no answers' },
  unsupported: { of: 'program', words: 'it is not supported' },
} as const satisfies Record<string, Reason>;

/** A reason code: stable, snake_case; it is stored, counted and shown. */
export type ReasonCode = keyof typeof REASONS;

const KNOWN: Readonly<Record<string, Reason>> = REASONS;

/** Returns whether a text from the record or from outside is a reason code. */
export function isReasonCode(text: string): text is ReasonCode {
  return Object.hasOwn(KNOWN, text);
}

/** Returns the reason code in a text, or `unexpected` if it is none. */
export function reasonCodeOf(text: string | null | undefined): ReasonCode {
  return typeof text === 'string' && isReasonCode(text) ? text : 'unexpected';
}

/** Returns the properties of a code. Empty for a code of an earlier or later release. */
export function reasonOf(code: string): Partial<Reason> {
  return isReasonCode(code) ? KNOWN[code]! : {};
}

/** Returns a code as a clause for people. An unknown code is spelled out. */
export function reasonInWords(code: string): string {
  return reasonOf(code).words ?? code.replaceAll('_', ' ');
}

/**
 * Returns why no model answer was used, as a clause. For the origins `setup` and `check`: their own words.
 */
export function whyNoAnswer(code: string): string {
  const { of } = reasonOf(code);
  const words = reasonInWords(code);
  return of === 'setup' || of === 'check' ? words : `the language model gave no usable answer, for ${words}`;
}

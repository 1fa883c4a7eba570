import type { Table } from '../columns.js';
import { ERASURE_RULES, type ErasureRule } from '../erasure/erasure-rules.js';

/** Services with a database role of their own. */
export const SERVICES_WITH_ROLES = [
  'ingest',
  'evidence-collector',
  'reasoner',
  'critic-writer',
  'decision',
  'console',
] as const;
export type RoleService = (typeof SERVICES_WITH_ROLES)[number];

type Right = 'insert' | 'update' | 'delete';
/** Rights by table, such as `insert update`. A statement that locks rows needs `update`. */
type Writes = Partial<Record<Table, string>>;

/** Statements that write together, and the services that execute them. */
interface Feature {
  by: readonly RoleService[];
  writes: Writes;
}

const ALL = SERVICES_WITH_ROLES;
const WORKERS = ['ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision'] as const;
const ASK_MODELS = ['evidence-collector', 'reasoner', 'critic-writer', 'decision'] as const;
const LEADER = ['decision'] as const;

/** The tables that an erasure changes follow from the places that it empties. */
function erased(places: Readonly<Record<string, ErasureRule>>): Writes {
  const rightsIn = ({ columns }: ErasureRule) =>
    new Set(Object.values(columns).map(({ by }): Right => (by === 'row' ? 'delete' : 'update')));
  return Object.fromEntries(
    Object.entries(places).map(([table, place]) => [table, [...rightsIn(place)].join(' ')]),
  );
}

/**
 * Writes of each feature to the record. Every service may read every table. This is the only list of rights: the SQL of
 * `casefile database roles` and the proof at the start of a service follow from it.
 */
const FEATURES: Readonly<Record<string, Feature>> = {
  processes: {
    by: ALL,
    writes: { processes: 'insert update delete', write_probe: 'insert update', access_keys: 'update' },
  },
  // New runs of the console are repeated and corrected ones, those of the leader scheduled, shadow and storm runs.
  accept: {
    by: ['ingest', 'decision', 'console'],
    writes: {
      cases: 'insert update',
      alerts: 'insert',
      runs: 'insert update',
      units: 'insert update',
      events: 'insert',
      idempotency_keys: 'insert',
      recoveries: 'insert update delete',
      storms: 'insert update',
      storm_members: 'insert',
      dead_letters: 'insert',
    },
  },
  stages: {
    by: WORKERS,
    writes: {
      cases: 'update',
      runs: 'update',
      units: 'insert update',
      artifacts: 'insert',
      tool_calls: 'insert update',
      llm_interactions: 'insert update',
      budgets: 'insert update',
      signals: 'insert',
      deliveries: 'insert update',
      events: 'insert',
    },
  },
  models: {
    by: ASK_MODELS,
    writes: {
      provider_states: 'insert update',
      provider_buckets: 'insert update',
      prompt_texts: 'insert',
      prompt_sets: 'insert',
      reusable_answers: 'insert update delete',
    },
  },
  installation: {
    by: ['reasoner'],
    writes: {
      installations: 'insert update',
      prompt_texts: 'insert',
      prompt_versions: 'insert update',
      events: 'insert',
    },
  },
  tools: {
    by: ['evidence-collector'],
    writes: {
      tool_results: 'insert update',
      tool_servers: 'insert update',
      tool_entries: 'insert update',
      data_sources: 'update',
    },
  },
  imports: {
    by: ['evidence-collector'],
    writes: {
      imports: 'update delete',
      import_pieces: 'delete',
      policies: 'insert update',
      policy_versions: 'insert update',
      policy_sections: 'insert update',
      runbooks: 'insert update',
      runbook_versions: 'insert update',
      scam_patterns: 'insert update',
      scam_reports: 'insert update',
      pattern_vectors: 'insert update delete',
      knowledge_bases: 'insert update',
      schedules: 'insert update',
    },
  },
  silences: {
    by: ['evidence-collector', 'decision', 'console'],
    writes: {
      silences: 'insert update',
      withheld_verdicts: 'insert update delete',
      outbound_deliveries: 'update',
      events: 'insert',
    },
  },
  answers: {
    by: ['ingest', 'decision', 'console'],
    writes: {
      cases: 'update',
      runs: 'update',
      acts: 'insert',
      reviews: 'insert update',
      review_viewers: 'insert update',
      feedback: 'insert delete',
      corrected_verdicts: 'insert update',
      outbound_deliveries: 'update',
      withheld_verdicts: 'delete',
      engagement_sessions: 'insert update',
      events: 'insert',
    },
  },
  deliveries: {
    by: LEADER,
    writes: {
      outbound_deliveries: 'insert update',
      delivery_attempts: 'insert',
      destinations: 'insert update',
      destination_threads: 'insert',
      page_links: 'insert update delete',
      condition_notices: 'insert update delete',
      reported_until: 'insert update',
    },
  },
  batches: {
    by: ['decision', 'console'],
    writes: { batches: 'insert update', batch_members: 'insert update', deliveries: 'insert' },
  },
  evolutions: {
    by: ['decision', 'console'],
    writes: { evolutions: 'insert update', prompt_texts: 'insert', prompt_versions: 'insert update' },
  },
  rollout: {
    by: ['decision', 'console'],
    writes: {
      flags: 'insert update',
      experiments: 'insert update',
      arm_health: 'insert update',
      prompt_versions: 'update',
    },
  },
  chores: {
    by: LEADER,
    writes: {
      units: 'update',
      tool_calls: 'update',
      storm_members: 'update',
      verdict_figures: 'insert',
      missing_look_ups: 'insert',
      examinations: 'insert',
      review_samples: 'insert',
      series_samples: 'insert update delete',
      event_readers: 'insert update',
      case_words: 'insert',
      schedules: 'insert update',
      lessons: 'insert update',
      scam_reports: 'insert update delete',
      past_cases: 'insert update delete',
    },
  },
  // A verification of the log appends what happened until then.
  audit: {
    by: ['decision', 'console'],
    writes: { audit_entries: 'insert', event_readers: 'insert update' },
  },
  erasures: {
    by: LEADER,
    writes: {
      ...erased(ERASURE_RULES),
      case_words: 'insert delete',
      recoveries: 'delete',
      case_erasures: 'insert',
      knowledge_bases: 'insert update',
      erasure_requests: 'insert',
      erasure_members: 'insert update',
    },
  },
  'acts of people': {
    by: ['console'],
    writes: {
      units: 'update',
      signals: 'update',
      budgets: 'update',
      provider_states: 'update',
      dead_letters: 'delete',
      edited_alerts: 'insert',
      data_sources: 'insert update delete',
      destination_entries: 'insert update delete',
      destinations: 'insert update delete',
      outbound_deliveries: 'insert',
      condition_notices: 'delete',
      page_links: 'update',
      recalibrations: 'insert',
      tool_servers: 'update',
      tool_entries: 'update',
      imports: 'insert update delete',
      import_pieces: 'insert delete',
      lessons: 'update',
      access_keys: 'insert',
      sign_in_sessions: 'insert update delete',
      used_sign_ins: 'insert delete',
      erasure_requests: 'insert',
      erasure_members: 'insert update',
    },
  },
};

/** Functions that run as the owner of the tables, and the services that may call them. */
const FUNCTIONS: Readonly<Record<string, readonly RoleService[]>> = {
  'add_month_of_calls(timestamptz)': LEADER,
  'erased_months_of_calls()': LEADER,
  'copy_erased_calls(text, int)': LEADER,
  'replace_month_of_calls(text)': LEADER,
};

export interface ServiceRights {
  /** Rights by table, in alphabetical order. Each table can be read too. */
  tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Functions with the types of their arguments. */
  functions: readonly string[];
}

/** Returns the rights that these services need together, beyond reading all tables. */
export function rightsOf(services: readonly string[]): ServiceRights {
  const isOneOf = (by: readonly string[]): boolean => by.some((service) => services.includes(service));
  const tables = new Map<string, Set<string>>();
  for (const { writes } of Object.values(FEATURES).filter(({ by }) => isOneOf(by)))
    for (const [table, rights] of Object.entries(writes)) {
      const all = tables.get(table) ?? new Set();
      for (const right of rights.split(' ')) all.add(right);
      tables.set(table, all);
    }
  return {
    tables: new Map([...tables].sort(([a], [b]) => (a < b ? -1 : 1))),
    functions: Object.entries(FUNCTIONS).flatMap(([name, by]) => (isOneOf(by) ? [name] : [])),
  };
}

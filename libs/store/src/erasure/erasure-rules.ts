import type { ErasableClass } from '@casefile/contracts';
import type { Column, Table } from '../columns.js';

/**
 * Value that replaces the content of a column. `tombstone`: a JSON object with who erased the row, when and why, and
 * the digest of the row's content. `null`, `blank` (an empty text), `list`, `object`: this empty value. `stripped`:
 * the content without texts; numbers, codes and ids stay. `row`: the row is deleted.
 */
export type Emptying = 'tombstone' | 'null' | 'blank' | 'list' | 'object' | 'stripped' | 'row';

/** Column by which the rows of a case are found. `rule`: a separate function finds and empties them. */
export type RowScope = 'case' | 'runs' | 'attempts' | 'rule';

/** Columns of a table with content of a case. */
export interface ErasureRule {
  scope: RowScope;
  /** Restricts the rows, as SQL over the table `t`. */
  only?: string;
  columns: Readonly<Record<string, { classes: readonly ErasableClass[]; by: Emptying }>>;
}

const ANY_TEXT = ['message', 'evidence'] as const satisfies ErasableClass[];
const message = (by: Emptying) => ({ classes: ['message'], by }) as const;
/** Text that can quote the message and results of tools. */
const text = (by: Emptying) => ({ classes: ANY_TEXT, by }) as const;
/** Requests to models and their answers quote everything. */
const prompt = (by: Emptying) => ({ classes: [...ANY_TEXT, 'prompts'], by }) as const;

/**
 * All places with content of a case. A column that can quote several classes is erased with the first of them.
 * A spec compares this list and `KEPT_COLUMNS` with the schema, so that a new column is declared in one of them.
 */
export const ERASURE_RULES = {
  alerts: {
    scope: 'case',
    columns: {
      text: message('null'),
      rest: message('tombstone'),
      image: { classes: ['message', 'images'], by: 'null' },
    },
  },
  cases: { scope: 'rule', columns: { text: message('blank'), fingerprint: message('null') } },
  storms: { scope: 'case', columns: { keys: message('row') } },
  storm_members: {
    scope: 'case',
    columns: { name: message('row'), services: message('row'), depends_on: message('row') },
  },
  case_words: { scope: 'rule', columns: { words: text('row') } },
  edited_alerts: {
    scope: 'case',
    columns: { original: message('tombstone'), message: message('blank') },
  },
  dead_letters: { scope: 'rule', columns: { payload: message('row'), message: message('row') } },
  runs: {
    scope: 'rule',
    columns: { message: text('null'), settings: prompt('stripped') },
  },
  units: { scope: 'runs', columns: { message: text('null') } },
  artifacts: { scope: 'rule', columns: { body: text('stripped') } },
  signals: {
    scope: 'runs',
    columns: {
      question: text('blank'),
      options: text('list'),
      fallback: text('blank'),
      value: text('null'),
    },
  },
  tool_calls: {
    scope: 'runs',
    columns: { args: text('tombstone'), result: text('null'), message: text('null'), source: text('null') },
  },
  tool_results: { scope: 'runs', columns: { body: text('blank') } },
  llm_interactions: {
    scope: 'runs',
    columns: {
      request: prompt('tombstone'),
      response: prompt('null'),
      content: prompt('null'),
      tool_calls: prompt('null'),
      reasoning_content: prompt('null'),
      reasoning_summary: prompt('null'),
      provider_state: prompt('null'),
    },
  },
  events: { scope: 'rule', columns: { data: prompt('stripped') } },
  acts: { scope: 'rule', columns: { data: text('stripped'), reason: text('blank') } },
  feedback: { scope: 'rule', columns: { outcome: text('stripped'), note: text('null') } },
  corrected_verdicts: { scope: 'rule', columns: { body: text('stripped') } },
  reusable_answers: { scope: 'runs', columns: { key: text('row') } },
  missing_look_ups: { scope: 'runs', only: `t.reason = 'unknown_tool'`, columns: { tool: text('row') } },
  outbound_deliveries: { scope: 'case', columns: { message: text('null') } },
  delivery_attempts: { scope: 'attempts', columns: { response: text('null'), problem: text('null') } },
  engagement_sessions: {
    scope: 'case',
    columns: { red_flags: text('list'), conversation: text('null') },
  },
  batch_members: { scope: 'case', columns: { message: text('null') } },
  past_cases: {
    scope: 'case',
    columns: {
      keys: text('row'),
      terms: text('row'),
      title: text('row'),
      outcome: text('row'),
      note: text('row'),
    },
  },
  lessons: { scope: 'rule', columns: { reports: text('list'), pattern: text('null') } },
  scam_reports: { scope: 'rule', columns: { entity_value: text('row') } },
  scam_patterns: {
    scope: 'rule',
    columns: { title: text('blank'), texts: text('object'), red_flags: text('list') },
  },
  pattern_vectors: { scope: 'rule', columns: { vector: text('row') } },
} as const satisfies { [T in Table]?: ErasureRule & { columns: { [C in Column<T>]?: unknown } } };

/** Tables with the scope `rule` are emptied by their own function, not by the general statement. */
export const erasureRules = Object.entries(ERASURE_RULES) as [keyof typeof ERASURE_RULES, ErasureRule][];

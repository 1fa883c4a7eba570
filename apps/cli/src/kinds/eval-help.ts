/** Help text of `casefile eval` about the sets of one kind of case. */
interface EvalHelp {
  playbook: string;
  /** Format of the sets; null: the same as another kind. */
  dataset: string | null;
  options: readonly (readonly [flags: string, description: string])[];
}

/**
 * Kept separate from the kinds, so that the command line is available before the kinds are loaded. The first
 * is the default.
 */
export const EVAL_HELP: readonly [EvalHelp, ...EvalHelp[]] = [
  {
    playbook: 'message-screening',
    dataset: 'JSONL, SMS lines (ham|spam, a tab, the text), or the SpamAssassin package folder',
    options: [
      [
        '--format <name>',
        'format of a message data set (jsonl, sms, spam-assassin). Default: by the file name',
      ],
      ['--categories <file>', 'JSON: for a message’s category, its names in the knowledge base'],
      ['--look-ups', 'messages: measure how well known patterns are found, without a verdict; totals only'],
      ['--patterns <file>', 'with --look-ups: search this file instead of the knowledge base'],
    ],
  },
  { playbook: 'scam-verdict', dataset: null, options: [] },
  { playbook: 'policy-check', dataset: 'a JSON list of cases', options: [] },
  { playbook: 'incident', dataset: 'JSONL with alert, lookUps and expected', options: [] },
  { playbook: 'research', dataset: 'JSONL with query, items and expected', options: [] },
];

import { readMatcher, type Json } from '@casefile/contracts';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import { InvalidArgumentError } from 'commander';
import { promptHistory } from '../views/rollout-views.js';
import type { View } from '../views/view.js';
import { durationMs } from './field-value.js';

/** A usual name of an operation, and how its words and options become fields of the request. */
export interface OperationCommand {
  /** Words after `casefile`. */
  name: string;
  /** Default: the summary of the operation. */
  description?: string;
  /** Fields that are positional arguments, in this order. Default: the parameters of the path. */
  arguments?: readonly string[];
  /** Field per option whose name differs from that of the field. `a.b` is the field `b` of the field `a`. */
  options?: Readonly<Record<string, string>>;
  /** Fields that are read from a JSON file. `*`: the whole body. */
  files?: readonly string[];
  /** Values of fields that the command sets by its name. */
  fixed?: Readonly<Record<string, Json>>;
  /** Optional fields that have no effect in this command, so that it has no option for them. */
  without?: readonly string[];
  /** Readers of fields that are written in another form than that of the API. */
  readers?: Readonly<Record<string, FieldReader>>;
  /** Options that are no field: they change the output or exit code, or `body` reads them. */
  switches?: readonly (readonly [flags: string, description: string, read?: (text: string) => Json])[];
  /** Returns the body, from the fields and the options that are no field. @throws InvalidArgumentError. */
  body?: (
    fields: Record<string, Json>,
    options: Readonly<Record<string, unknown>>,
  ) => Record<string, Json> | Promise<Record<string, Json>>;
  /** Required fields that `body` computes if their option is absent. */
  computed?: readonly string[];
  /** Default: the view of the operation. */
  view?: View<never>;
  /** Whether the group runs this command if no other is named. */
  isDefault?: boolean;
}

/** A written form of a field. */
interface FieldReader {
  /** Name of the value in the usage of the command. */
  value: string;
  description: string;
  read: (text: string) => Json;
}

/** Operations without a command, with the reason. */
export const WITHOUT_COMMAND: Readonly<Record<string, string>> = {
  streamEvents: 'a stream: casefile watch follows it',
  getAlertImage: 'an image, which a terminal cannot show',
  postImport: 'the body is a form with files: casefile import sends it',
  answerReview: 'casefile reviews answer sends this or answerReviews',
  undoReview: 'casefile reviews undo sends this or answerReviews',
};

const PROMPT = 'playbook/name';

const percent: FieldReader = {
  value: 'percent',
  description: 'percentage from 0.01 to 100',
  read: (text) => {
    const value = Number(text);
    if (/^\d{1,3}(?:\.\d{1,4})?$/.test(text) && value >= 0.01 && value <= 100) return value / 100;
    throw new InvalidArgumentError('Expected a percentage from 0.01 to 100.');
  },
};

const matcher: FieldReader = {
  value: 'matchers',
  description:
    'all must match, and one needs an exact value: name=value, name!=value, name=~pattern, name!~pattern',
  read: (text) => {
    const read = readMatcher(text);
    if (read !== null) return { ...read };
    throw new InvalidArgumentError(
      'Expected name=value, name!=value, name=~pattern or name!~pattern, for example service=checkout.',
    );
  },
};

function duration(text: string): number {
  const ms = durationMs(text);
  if (ms !== null) return ms;
  throw new InvalidArgumentError('Expected minutes, hours or days, for example 30m, 2h or 7d.');
}

const sourceFile: FieldReader = {
  value: 'path',
  description: 'YAML file of an own source, in place of the name of a shipped one; - for standard input',
  read: (path) => path,
};

/** Returns the body of a new data source, with the text of its file; `-`: of standard input. */
async function sourceBody(fields: Record<string, Json>): Promise<Record<string, Json>> {
  const { file: path } = fields;
  return typeof path === 'string' ? { ...fields, file: await readInputFile(path) } : fields;
}

/** Returns the body of a silence. Its end is a time, or follows from its start and `--for`. */
function silenceBody(fields: Record<string, Json>, options: Readonly<Record<string, unknown>>) {
  const { for: forMs } = options;
  if ((forMs === undefined) === (fields['endsAt'] === undefined))
    throw new InvalidArgumentError('Expected either --for or --until, for example --for 2h.');
  if (typeof forMs !== 'number') return fields;
  const start = fields['startsAt'] === undefined ? Date.now() : Date.parse(String(fields['startsAt']));
  return { ...fields, endsAt: new Date(start + forMs).toISOString() };
}

const batchAct = (
  act: string,
  description: string,
  without: readonly string[],
  options: Record<string, string> = {},
) => ({ name: `batches ${act}`, description, arguments: ['batchId'], fixed: { act }, without, options });

/** The usual names of operations. Every operation also has its name `TAG OPERATION`. */
export const COMMANDS: Readonly<Record<string, readonly OperationCommand[]>> = {
  listConditions: [
    {
      name: 'conditions',
      description: 'list what is wrong with the installation, its effect and what to do',
      switches: [['--exit-code', 'exit with 1 if there is any condition']],
    },
  ],
  listQueues: [{ name: 'queues', description: 'list the queues with their depth and oldest job' }],
  listSchedules: [{ name: 'schedules' }],
  raiseBudget: [
    {
      name: 'raise',
      description: 'raise the budget that a run waits for, and continue the run: --usd or --tokens',
    },
  ],
  listBatches: [{ name: 'batches', description: 'list the batches of cases that were judged again' }],
  previewBatch: [
    {
      name: 'batches preview',
      description: 'count what applying a batch would send',
      options: { only: 'caseIds', except: 'exceptCaseIds' },
    },
  ],
  actOnBatch: [
    batchAct('pause', 'pause a batch', ['budgetUsd', 'choice']),
    batchAct('resume', 'resume a paused batch', ['choice'], { budget: 'budgetUsd' }),
    batchAct('apply', 'apply the verdicts of a batch, except those that a person decided', ['budgetUsd'], {
      only: 'choice.caseIds',
      except: 'choice.exceptCaseIds',
    }),
    batchAct('discard', 'discard a batch', ['budgetUsd', 'choice']),
  ],
  getInbox: [{ name: 'inbox', description: 'list everything that waits for a person, the oldest first' }],
  listReviews: [
    {
      name: 'reviews list',
      description: 'list verdicts by the time at which they were decided, the oldest first',
    },
  ],
  getReview: [{ name: 'reviews show', description: 'show what people did with a verdict' }],
  assignReview: [{ name: 'reviews assign', arguments: ['id', 'to'] }],
  skipReview: [{ name: 'reviews skip', arguments: ['id', 'reason'] }],
  snoozeReview: [{ name: 'reviews snooze', arguments: ['id', 'until'] }],
  commentReview: [{ name: 'reviews comment', arguments: ['id', 'note'] }],
  getQuality: [
    { name: 'quality', description: 'show how many verdicts were right according to people, and their cost' },
  ],
  addRecalibration: [{ name: 'quality recalibrate' }],
  listRecalibrations: [{ name: 'quality recalibrations' }],
  createLimitExperiment: [
    {
      name: 'quality experiment',
      description: 'create an experiment that acts only from the confidence that the labels suggest',
    },
  ],
  tryProvider: [{ name: 'providers try', description: 'try a provider whose circuit is open' }],
  listPatternProposals: [{ name: 'patterns list', description: 'list the proposals, the oldest first' }],
  decidePatternProposal: [
    {
      name: 'patterns approve',
      description: 'approve the pattern that a case proposes',
      fixed: { state: 'approved' },
    },
    {
      name: 'patterns reject',
      description: 'reject the pattern that a case proposes',
      fixed: { state: 'rejected' },
    },
  ],
  diffPromptVersions: [
    {
      name: 'prompts diff',
      description: 'compare a version of a prompt line by line with another, by default the live one',
      arguments: [PROMPT, 'to', 'from'],
    },
  ],
  getPrompt: [
    {
      name: 'prompts history',
      description: 'list who added and moved versions, and why',
      arguments: [PROMPT],
      view: promptHistory as View<never>,
    },
  ],
  movePromptVersion: [
    {
      name: 'prompts state',
      description: 'make a version live, or retire a candidate; a retired version can be made live again',
      arguments: [PROMPT, 'version', 'state'],
    },
  ],
  startEvolution: [{ name: 'evolve start', options: { budget: 'budgetUsd' }, isDefault: true }],
  listEvolutions: [{ name: 'evolve list' }],
  getEvolution: [
    {
      name: 'evolve show',
      description: 'print the progress, the texts with their scores, and the report',
    },
  ],
  pauseEvolution: [{ name: 'evolve pause' }],
  resumeEvolution: [{ name: 'evolve resume', options: { budget: 'budgetUsd' } }],
  stopEvolution: [{ name: 'evolve stop' }],
  setFlag: [{ name: 'flags set', arguments: ['name', 'variant'] }],
  createExperiment: [
    {
      name: 'experiments create',
      description: 'create an experiment from a file, without starting it',
      files: ['*'],
    },
  ],
  getExperiment: [
    { name: 'experiments show', description: 'print an experiment and the comparison of its arms' },
  ],
  shareExperiment: [{ name: 'experiments share', arguments: ['id', 'share'], readers: { share: percent } }],
  listEngagements: [{ name: 'engagements', description: 'list engagement sessions, the newest first' }],
  closeEngagement: [{ name: 'engagements close' }],
  listDeadLetters: [
    {
      name: 'dead-letters list',
      description: 'list alerts that were not accepted and runs that stopped, the newest first',
    },
  ],
  redriveDeadLetter: [
    {
      name: 'dead-letters redrive',
      description: 'redrive a dead letter, by default as it is',
      files: ['alert'],
    },
  ],
  dropDeadLetters: [{ name: 'dead-letters drop', arguments: ['ids'] }],
  listDestinations: [{ name: 'destinations list', description: 'list destinations with their state' }],
  addDestination: [{ name: 'destinations add', arguments: ['name', 'destination'], files: ['destination'] }],
  changeDestination: [
    { name: 'destinations change', arguments: ['name', 'destination'], files: ['destination'] },
  ],
  listDeliveries: [
    {
      name: 'deliveries list',
      description: 'list the newest deliveries with their last attempt',
      options: { case: 'caseId' },
    },
  ],
  resendDelivery: [{ name: 'deliveries resend' }],
  createSilence: [
    {
      name: 'silences create',
      description: 'silence alerts that match, for example: service=checkout instance=~"db-.*" --for 2h',
      arguments: ['matchers'],
      readers: { matchers: matcher },
      options: { start: 'startsAt', until: 'endsAt' },
      switches: [['--for <duration>', 'time from the start, instead of --until: 30m, 2h, 7d', duration]],
      body: silenceBody,
      computed: ['endsAt'],
    },
  ],
  addSource: [
    {
      name: 'sources add',
      description: 'add a data source: prometheus --url http://prometheus:9090, or --file with an own one',
      arguments: ['source'],
      readers: { file: sourceFile },
      body: sourceBody,
    },
  ],
  listAudit: [
    {
      name: 'audit list',
      description: 'list what people did, the newest first',
      options: { case: 'caseId' },
    },
  ],
  checkAudit: [
    {
      name: 'audit verify',
      description: 'check the chain of the audit log and the events that it names; exit code 1 for a problem',
    },
  ],
  listSignInSessions: [
    { name: 'sessions list', description: 'list the people who are signed in, newest first' },
  ],
  revokeSignInSession: [
    { name: 'sessions revoke', description: 'end a session: its next request is refused' },
  ],
};

/** Descriptions of groups of commands that are no tag of the API. */
export const GROUPS: Readonly<Record<string, string>> = {
  batches: 'batches of cases that were judged again',
  deliveries: 'messages to destinations',
  evolve: 'evolve a prompt on labelled cases, within a budget',
  patterns: 'patterns of messages that confirmed cases propose',
  providers: 'model providers',
  sessions: 'people who are signed in to the console',
};

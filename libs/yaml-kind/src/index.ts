export { readYamlKind } from './read-yaml-kind.js';

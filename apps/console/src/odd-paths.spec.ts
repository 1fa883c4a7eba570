import { guardsOddPaths } from './testing/odd-paths.suite.js';

describe('a path that is written in an odd way', () => guardsOddPaths(false));

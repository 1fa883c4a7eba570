import { verifiesCitations } from '../../testing/citations.suite.js';

describe('1,000 citations', () => verifiesCitations([1, 2, 3], 1_000));

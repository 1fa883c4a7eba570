import { verifiesCitations } from '../testing/citations.suite.js';

describe('100 citations', () => verifiesCitations([1, 2], 100));

import { describeResearchPages } from '../research-pages.suite.js';

describe('T-61 research reads the pages that a search finds: 20 questions', () => describeResearchPages(20));

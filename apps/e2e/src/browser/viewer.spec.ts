import { showsByRole } from './viewer.browser.js';

describe('the pages of a viewer', () => showsByRole(['scam-verdict']));

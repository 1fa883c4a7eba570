import { playbooks } from '@casefile/shipped/loaded';
import { showsByRole } from '../viewer.browser.js';

describe('the pages of a viewer', () => showsByRole(playbooks.map(({ name }) => name)));

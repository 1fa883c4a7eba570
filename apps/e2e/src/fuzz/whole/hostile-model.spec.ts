import { HOSTILE_MESSAGES } from '../hostile-model.js';
import { withstandsHostileModels } from '../hostile-model.suite.js';

describe('a hostile model', () => withstandsHostileModels(Object.keys(HOSTILE_MESSAGES)));

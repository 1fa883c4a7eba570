import { withstandsHostileModels } from './hostile-model.suite.js';

describe('a hostile model', () => withstandsHostileModels(['brackets without end', 'a thousand calls']));

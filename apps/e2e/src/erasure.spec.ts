import { erases } from './erasure.suite.js';
import { inThisProcess } from './testing/launched-services.js';

describe('erasure', () => erases(inThisProcess, null, 6));

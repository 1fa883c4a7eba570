import { reachesDestinations } from './destinations.suite.js';
import { inThisProcess } from './testing/launched-services.js';

describe('destinations', () => reachesDestinations(inThisProcess));

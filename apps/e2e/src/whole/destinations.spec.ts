import { reachesDestinations } from '../destinations.suite.js';
import { inOneProcess } from '../testing/launched-services.js';

describe('destinations, whose sender is killed', () => reachesDestinations(inOneProcess));

import { erases } from '../erasure.suite.js';
import { inOneProcess } from '../testing/launched-services.js';

describe('erasure whose process is killed, with the queue on Postgres', () => erases(inOneProcess, null, 60));
describe('erasure whose process is killed, with the queue on Redis', () =>
  erases(inOneProcess, 'erasure', 60));

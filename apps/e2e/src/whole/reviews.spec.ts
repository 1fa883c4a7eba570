import { answersReviews } from '../reviews.suite.js';
import { inOneProcess } from '../testing/launched-services.js';

describe('the review desk, whose process is killed', () => answersReviews(inOneProcess, 40));

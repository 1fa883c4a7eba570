import { answersReviews } from './reviews.suite.js';
import { inThisProcess } from './testing/launched-services.js';

describe('the review desk', () => answersReviews(inThisProcess, 10));

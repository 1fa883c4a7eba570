import { reviewsByKeyboard } from './review.browser.js';

describe('the review desk in a browser', () => reviewsByKeyboard({ typed: 4 }));

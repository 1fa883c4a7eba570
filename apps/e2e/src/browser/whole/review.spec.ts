import { reviewsByKeyboard } from '../review.browser.js';

/** `HELD_VERDICTS=100`: the long form. */
const held = Number(process.env['HELD_VERDICTS'] ?? 25);

describe('the review desk with many verdicts in a browser', () => reviewsByKeyboard({ typed: 40, held }));

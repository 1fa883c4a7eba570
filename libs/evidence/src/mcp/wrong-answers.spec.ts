import { describeWrongAnswers } from './testing/wrong-answers.suite.js';

// Odd, so that servers that answer wrongly at the start and while they run are both among the rows.
describeWrongAnswers(9);

import { readsBadAnswers } from '../testing/bad-answers.suite.js';

// Of each of three kinds (the last half as many), over four protocols: ten thousand.
readsBadAnswers(1_000);

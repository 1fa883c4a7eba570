import { readsBadAnswers } from './testing/bad-answers.suite.js';

readsBadAnswers(30);

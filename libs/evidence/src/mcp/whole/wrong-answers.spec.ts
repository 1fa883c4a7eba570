import { describeWrongAnswers } from '../testing/wrong-answers.suite.js';

describeWrongAnswers(1);

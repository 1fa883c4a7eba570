import { describeWrongAnswers } from '../wrong-answers.suite.js';

describeWrongAnswers(1);

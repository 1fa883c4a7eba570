import { defineKind } from '@casefile/kit/kind';
import { pastMessage } from '@casefile/pipeline/scam/past-messages';
import { exampleCase } from './example.js';
import { highRiskLesson } from './lesson.js';
import { scamVerdict } from './playbook.js';

export default defineKind({
  playbook: scamVerdict,
  lessonRule: highRiskLesson,
  pastCaseRule: pastMessage,
  example: exampleCase,
  commandLine: () => import('./command-line.js'),
});

import { defineKind } from '@casefile/kit/kind';
import { pastMessage } from '@casefile/pipeline/scam/past-messages';
import { detectedScamLesson } from './lesson.js';
import { messageScreening } from './playbook.js';

export default defineKind({
  playbook: messageScreening,
  lessonRule: detectedScamLesson,
  pastCaseRule: pastMessage,
  commandLine: () => import('./command-line.js'),
});

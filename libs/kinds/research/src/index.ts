import { defineKind } from '@casefile/kit';
import { research } from './playbook.js';

export default defineKind({
  playbook: research,
  commandLine: () => import('./command-line.js'),
});

import { defineKind } from '@casefile/kit/kind';
import { research } from './playbook.js';

export default defineKind({
  playbook: research,
  commandLine: () => import('./command-line.js'),
});

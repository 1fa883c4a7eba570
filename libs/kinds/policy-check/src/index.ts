import { defineKind } from '@casefile/kit';
import { policyCheck } from './playbook.js';

export default defineKind({
  playbook: policyCheck,
  commandLine: () => import('./command-line.js'),
});

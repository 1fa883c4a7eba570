import { defineKind } from '@casefile/kit/kind';
import { policyCheck } from './playbook.js';

export default defineKind({
  playbook: policyCheck,
  commandLine: () => import('./command-line.js'),
});

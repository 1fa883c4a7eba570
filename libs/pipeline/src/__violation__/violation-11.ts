import { research } from '@casefile/research/playbook';
export const x = research;

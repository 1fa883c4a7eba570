import { Intake } from '@casefile/runtime';
export const x = Intake;

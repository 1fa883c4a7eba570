import type { Proof } from './proof.js';
import { r1 } from './r1.js';
import { r10 } from './r10.js';
import { r11 } from './r11.js';
import { r12 } from './r12.js';
import { r13 } from './r13.js';
import { r14 } from './r14.js';
import { r15 } from './r15.js';
import { r16 } from './r16.js';
import { r17 } from './r17.js';
import { r18 } from './r18.js';
import { r2 } from './r2.js';
import { r3 } from './r3.js';
import { r4 } from './r4.js';
import { r5 } from './r5.js';
import { r6 } from './r6.js';
import { r7 } from './r7.js';
import { r8 } from './r8.js';
import { r9 } from './r9.js';

/** The promises of the product, in their order. */
export const PROOFS: readonly Proof[] = [
  r1,
  r2,
  r3,
  r4,
  r5,
  r6,
  r7,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  r16,
  r17,
  r18,
];

// `node --import @casefile/kit/register --test kind.test.ts`: runs the test of a kind without an installation in its
// folder. The kit is this copy, as in a program.
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { provideKit } from './hooks/provide-kit.js';
import * as testing from './testing/index.js';

const [, test = ''] = process.argv;
if (test !== '') provideKit(dirname(realpathSync(test)), { '@casefile/kit/testing': { ...testing } });

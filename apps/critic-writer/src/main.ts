import { runService } from '@casefile/runtime';
import { criticWriter } from './critic-writer.js';

await runService(criticWriter);

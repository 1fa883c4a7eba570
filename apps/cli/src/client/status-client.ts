import { conditionListSchema, metaSchema, type Condition, type Meta } from '@casefile/contracts';
import { requestJson } from './request-json.js';

/** What the console of a running Casefile reports of its state. */
export interface Status {
  meta: Meta;
  /** What is wrong now, errors first. */
  conditions: Condition[];
}

/** Reads the state of the system whose console is at this URL. @throws CasefileError `unreachable`. */
export async function readStatus(consoleUrl: string): Promise<Status> {
  const at = (path: string) => requestJson(new URL(`/api/v1${path}`, consoleUrl));
  const [meta, list] = await Promise.all([at('/meta'), at('/conditions')]);
  return { meta: metaSchema.parse(meta), conditions: conditionListSchema.parse(list).conditions };
}

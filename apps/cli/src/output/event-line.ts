import type { EventRecord } from '@casefile/contracts';
import { excerpt, oneLine } from './escape.js';
import type { Colors } from './terminal.js';

const FACTS_WIDTH = 100;
const TYPE_COLUMN = 22;

/** `10:00:01  stage.completed  <case>  stage=collect round=1` */
export function eventLine(event: EventRecord, colors: Colors): string {
  const facts = Object.entries(event.data)
    .filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
    .map(([key, value]) => `${key}=${String(value)}`);
  const time = oneLine(event.at.slice(11, 19));
  return `${colors.dim(time)}  ${oneLine(event.type).padEnd(TYPE_COLUMN)}  ${oneLine(event.caseId ?? '-')}  ${excerpt(facts.join(' '), FACTS_WIDTH)}`;
}

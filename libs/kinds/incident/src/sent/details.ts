import { isObject, type Json, type JsonObject } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';

const MOST_LINES = 150;
const MOST_VALUE = 400;
const MOST_CHARACTERS = 8_000;
const DEEPEST = 8;

/** Fields of an alert of Alertmanager or Grafana that are shown elsewhere or mean nothing to a reader. */
const SHOWN = ['labels', 'annotations', 'status', 'startsAt', 'endsAt', 'fingerprint', 'generatorURL'];

/**
 * Returns the other values of a sender's body, one per line with its path: `metric.value: 97.31`. The number
 * of lines is limited.
 */
export function detailLines(body: JsonObject): string[] {
  const lines: string[] = [];
  let characters = 0;
  const add = (value: Json, path: string, depth: number): void => {
    if (lines.length >= MOST_LINES || characters >= MOST_CHARACTERS || depth > DEEPEST) return;
    if (Array.isArray(value)) return value.forEach((one, i) => add(one, `${path}.${i}`, depth + 1));
    if (isObject(value)) {
      for (const [name, inner] of Object.entries(value))
        if (depth > 0 || !SHOWN.includes(name) || !isMonitored(body))
          add(inner as Json, path === '' ? name : `${path}.${name}`, depth + 1);
      return;
    }
    if (value === null || value === '') return;
    const line = `${inLine(path, 120)}: ${inLine(String(value), MOST_VALUE)}`;
    lines.push(line);
    characters += line.length;
  };
  add(body, '', 0);
  return lines;
}

const isMonitored = ({ labels }: JsonObject): boolean => isObject(labels);

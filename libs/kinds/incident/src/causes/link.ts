import { namesIn, namesIt } from '@casefile/pipeline/claims/index';
import type { Incident } from '../alert.js';
import { aliasesOf } from '../claims.js';
import { namesInArgs, type Read } from '../look-ups.js';

/** Labels whose values many systems share. */
const SHARED = /^(?:namespace|cluster|datacenter|zone|stage|tenant|container|__name__)$/i;
const LABEL = /(\w{1,60})="([^"]{1,200})"/g;
const MOST_LINES = 2_000;

/** Returns the names of the system that the alert is about, in lower case: values of its labels. */
export function alertSystems({ labels }: Pick<Incident, 'labels'>): string[] {
  const own = Object.fromEntries(Object.entries(labels).filter(([label]) => !SHARED.test(label)));
  return aliasesOf({ labels: own }).map((name) => name.toLowerCase());
}

/** Returns the names of systems in a line of a look-up: values of labels, and technical names. */
function systemsIn(line: string): string[] {
  const labels = [...line.matchAll(LABEL)].map(([, label = '', value = '']) => [label, value]);
  const values = aliasesOf({
    labels: Object.fromEntries(labels.filter(([label = '']) => !SHARED.test(label))),
  });
  // A line with labels names systems by these; the name of its metric is none.
  const named = labels.length > 0 ? [] : namesIn(line);
  return [...new Set([...values.map((value) => value.toLowerCase()), ...named])].filter(
    (name) => name.length > 2,
  );
}

/**
 * Returns whether a line is about the system of the alert: it names the system, its look-up was about the system and the
 * line names no other, or another line of the record names the system together with one that the line names.
 */
export function isLinked(
  line: string,
  read: Read,
  { systems, reads }: { systems: readonly string[]; reads: readonly Read[] },
): boolean {
  if (systems.length === 0) return true;
  const names = (text: string) => systems.some((system) => namesIt(text.toLowerCase(), system));
  if (names(line)) return true;
  const others = systemsIn(line);
  if (namesInArgs(read).some(names) && others.every((other) => !isSystemOfLabels(line, other))) return true;
  return reads
    .filter(({ gap }) => gap === null)
    .some(({ text }) =>
      text
        .split('\n', MOST_LINES)
        .some(
          (one) => one !== line && names(one) && others.some((other) => namesIt(one.toLowerCase(), other)),
        ),
    );
}

const isSystemOfLabels = (line: string, name: string): boolean =>
  [...line.matchAll(LABEL)].some(([, , value = '']) => value.toLowerCase() === name);

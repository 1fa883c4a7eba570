import { isObject, type AlertInput, type ChosenBy, type JsonObject } from '@casefile/contracts';
import { CLAIM_STRENGTHS, type KindClaim, type Playbook } from '@casefile/pipeline';
import type { SettingsFile } from '../config/settings-schema.js';

/** The kind of case of an alert, and why. */
export interface ChosenKind {
  playbook: Playbook;
  chosenBy: ChosenBy;
}

type KindSetting = SettingsFile['intake']['playbookBy'][number];

/** Possible kinds, and the facts that determine the choice. */
export interface KindChoice {
  playbooks: readonly Playbook[];
  /** Returns the options that a new run of this kind would be frozen with. */
  optionsOf(playbook: Playbook): JsonObject;
  settings: readonly KindSetting[];
  /** Queue on which the alert arrived. Default: none. */
  queue?: string | undefined;
}

const RULES = { asks: 'request', recognises: 'content', matches: 'order', resembles: 'content' } as const;

/**
 * Returns the kind of an alert. The first of these rules that applies determines it: the kind that the alert
 * names, the first setting that fits, the strongest claim. Of equal claims, the first in order wins. null:
 * the named kind is unknown, or no kind can judge the alert.
 */
export function chooseKind(alert: AlertInput, choice: KindChoice): ChosenKind | null {
  const playbookNamed = (name: string) => choice.playbooks.find((playbook) => playbook.name === name);
  if (alert.playbook !== undefined) {
    const playbook = playbookNamed(alert.playbook);
    return playbook === undefined
      ? null
      : { playbook, chosenBy: { rule: 'name', why: 'The alert names it.' } };
  }
  const set = kindBySetting(alert, choice);
  const playbook = set === null ? undefined : playbookNamed(set.playbook);
  if (set !== null && playbook !== undefined) return { playbook, chosenBy: set.chosenBy };
  return claimedAlert(alert, choice);
}

/** Returns the kind that the first fitting setting names for an alert; null: no setting fits. */
export function kindBySetting(
  { source, labels }: { source?: unknown; labels?: unknown },
  { settings, queue }: Pick<KindChoice, 'settings' | 'queue'>,
): { playbook: string; chosenBy: ChosenBy } | null {
  const index = settings.findIndex(
    (one) =>
      (one.source === undefined || one.source === source) &&
      (one.queue === undefined || one.queue === queue) &&
      Object.entries(one.labels ?? {}).every(([name, value]) => isObject(labels) && labels[name] === value),
  );
  const set = settings[index];
  if (set === undefined) return null;
  const by = [
    ...(set.source === undefined ? [] : [`the source ${set.source}`]),
    ...(set.queue === undefined ? [] : [`the queue ${set.queue}`]),
    ...Object.entries(set.labels ?? {}).map(([name, value]) => `the label ${name}=${value}`),
  ];
  const why = `The setting intake.playbookBy[${index}] names it for ${by.join(' and ')}.`;
  return { playbook: set.playbook, chosenBy: { rule: 'setting', why } };
}

function claimedAlert(alert: AlertInput, { playbooks, optionsOf }: KindChoice): ChosenKind | null {
  const claims = playbooks.flatMap((playbook) => {
    const claim = playbook.intake.claims(alert, () => optionsOf(playbook));
    return claim === null ? [] : [{ playbook, claim }];
  });
  const [best] = claims.toSorted((a, b) => rank(a.claim) - rank(b.claim));
  if (best === undefined) return null;
  const { playbook, claim } = best;
  const others = claims.filter((one) => one !== best && one.claim.strength === 'resembles');
  const also = others.map((one) => ` ${one.playbook.name}: ${one.claim.why}`).join('');
  return {
    playbook,
    chosenBy: {
      rule: RULES[claim.strength],
      why: `${claim.why}${also}`,
      ...(others.length === 0 ? {} : { others: others.map((one) => one.playbook.name) }),
    },
  };
}

const rank = ({ strength }: KindClaim) => CLAIM_STRENGTHS.indexOf(strength);

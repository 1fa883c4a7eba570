/** Place and size of a run of scenarios. */
export interface Site {
  /** Alerts that a scenario sends. */
  cases: number;
  /** Creates an empty database with all tables. */
  database(): Promise<{ url: string; drop(): Promise<void> }>;
  /** Registers what ends with the scenario. The last registered ends first. */
  onEnd(end: () => Promise<unknown>): void;
}

/** Counts of the alerts of one scenario. */
export interface Counts {
  /** Alerts that intake answered with 202. */
  accepted: number;
  /** Accepted alerts with a verdict. */
  decided: number;
  /** Verdicts that the receiver got. */
  delivered: number;
  /** Verdicts that were made, paid for or delivered under another id a second time. */
  twice: number;
}

/** Result of a scenario. */
export interface Outcome {
  counts: Counts;
  /** Reason for which the installation refused to work; null: it worked. */
  refused: string | null;
  /** Alerts that intake answered with 503 and that were not sent again. Default: 0. */
  turnedAway?: number;
  /** Other figures of the scenario, for the table. Default: none. */
  note?: string;
  /** Expectations of the scenario itself that did not hold. */
  failures: string[];
}

/** One way to run Casefile on an engine, or one failure of an engine or a service. */
export interface Scenario {
  name: string;
  /** What is done, for the table. */
  what: string;
  /** Expected part of the reason, if the installation has to refuse to work; null: it has to decide all alerts. */
  refuses: RegExp | null;
  /** Most alerts of the scenario. Default: as many as the run sends. */
  most?: number;
  run(site: Site): Promise<Outcome>;
}

/** Returns the number of accepted alerts without a verdict. */
export const lostAlerts = ({ accepted, decided }: Counts): number => accepted - decided;

/** Returns how an outcome differs from what the scenario promises. */
export function failuresOf({ refuses }: Scenario, outcome: Outcome, cases: number): string[] {
  const { counts, refused, turnedAway = 0, failures } = outcome;
  const { accepted, decided, delivered, twice } = counts;
  if (refuses !== null)
    return [
      ...failures,
      ...(refused !== null && refuses.test(refused)
        ? []
        : [`expected a refusal with ${refuses}, got: ${refused}`]),
      ...(accepted === 0 ? [] : [`${accepted} alerts were accepted`]),
    ];
  return [
    ...failures,
    ...(refused === null ? [] : [`refused: ${refused}`]),
    ...(accepted + turnedAway === cases ? [] : [`${accepted} of ${cases} alerts were accepted`]),
    ...(lostAlerts(counts) === 0 ? [] : [`${lostAlerts(counts)} accepted alerts have no verdict`]),
    ...(delivered === decided ? [] : [`${delivered} of ${decided} verdicts were delivered`]),
    ...(twice === 0 ? [] : [`${twice} verdicts were made or delivered twice`]),
  ];
}

/** Runs a scenario, and ends all that it started, also if it fails. */
export async function runScenario(
  scenario: Scenario,
  place: Pick<Site, 'cases' | 'database'>,
): Promise<{ outcome: Outcome; failures: string[] }> {
  const cases = Math.min(place.cases, scenario.most ?? place.cases);
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const outcome = await scenario.run({ ...place, cases, onEnd: (end) => void ends.unshift(end) });
    return { outcome, failures: failuresOf(scenario, outcome, cases) };
  } finally {
    for (const end of ends) await end();
  }
}

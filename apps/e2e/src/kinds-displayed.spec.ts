import { readFileSync } from 'node:fs';
import { CLAIMS_SECTION } from '@casefile/pipeline/claims/show-claims';
import {
  alertInputSchema,
  alertLine,
  alertTitle,
  formExample,
  formPayload,
  shownSections,
  type AlertInput,
  type JsonObject,
} from '@casefile/contracts';
import { emptyParts, runKind, type Script } from '@casefile/kit/testing';
import type { Kind } from '@casefile/kit';
import { checkedKind } from '@casefile/kit/check-kind';
import { kindDisplay } from '@casefile/pipeline';
import { domainRisk, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { loadKinds } from '@casefile/runtime';

const ROOT = new URL('../../../', import.meta.url);
const SAMPLES = new URL('samples/', ROOT);
/** Folders of kinds from outside: the template of a new kind, and a kind that is written as YAML. */
const OUTSIDE = ['apps/cli/template/kind/', 'samples/kinds/vendor-bank-change/'].map(
  (path) => new URL(path, ROOT),
);
const kinds = await loadKinds({ CASEFILE_KINDS: OUTSIDE.map(({ pathname }) => pathname).join(',') });
/** Results of tools that have no server in a test. */
const script: Script = {
  tools: {
    domain_reputation: { answer: () => domainRisk('high').result ?? null },
    text_signals: { answer: () => textSignals('asks_money', 'asks_secret', 'urgent').result ?? null },
  },
};

const json = (url: URL) => JSON.parse(readFileSync(url, 'utf8')) as JsonObject | JsonObject[];
const common = json(new URL('alerts.json', SAMPLES)) as JsonObject[];
const outside = OUTSIDE.map((folder) => json(new URL('samples/alert.json', folder)) as JsonObject);

/** Returns the samples of a kind that are no image. */
async function samplesOf({ playbook, commandLine }: Kind): Promise<AlertInput[]> {
  const own = (await (await commandLine()).samples?.(SAMPLES))?.alerts ?? [];
  const ofKind = [...own, ...common, ...outside].filter((one) => one['playbook'] === playbook.name);
  return ofKind.flatMap(({ imageFile, ...alert }) =>
    imageFile === undefined ? [alertInputSchema.parse(alert)] : [],
  );
}

describe.each(kinds.map((kind) => [kind.playbook.name, kind] as const))('S2-32 the kind %s', (name, kind) => {
  const { presenting, intake } = kind.playbook;
  const display = kindDisplay(presenting);

  it('declares only fields and tools that there are', () => {
    expect(checkedKind({ default: kind })).toBe(kind);
  });

  it('names each of its samples', async () => {
    const samples = await samplesOf(kind);
    expect(samples).not.toEqual([]);
    for (const sample of samples) {
      expect(alertTitle(sample, display)).not.toBe('');
      expect(alertLine(sample, display)).not.toBe('');
    }
  });

  it('has a form whose example is accepted', () => {
    const { form, text } = display;
    const inputs = [...form.map(({ label }) => label), ...(text === null ? [] : [text.label])];
    expect(inputs).not.toEqual([]);
    expect(new Set(inputs).size).toBe(inputs.length);
    const payload = formPayload(form, formExample(form));
    const typed = text?.example ?? (payload === null ? 'Pay now' : undefined);
    const alert = {
      ...(typed === undefined ? {} : { text: typed }),
      ...(payload === null ? {} : { payload }),
    };
    expect(intake.problems(alertInputSchema.parse({ playbook: name, ...alert }))).toEqual([]);
  });

  it('shows each of its sections for one of its samples', async () => {
    // Rules draw no conclusions, so none is compared.
    let empty = display.sections.map(({ title }) => title).filter((title) => title !== CLAIMS_SECTION.title);
    for (const sample of await samplesOf(kind)) {
      if (empty.length === 0) break;
      const parts = emptyParts(kind, await runKind(kind, sample, script));
      empty = empty.filter((title) => parts.includes(title));
    }
    expect(empty).toEqual([]);
  });

  it('shows values as texts, whatever the sender wrote', () => {
    const payload = { title: { a: '<b>' }, subject: ['<i>'], items: 'none' } as JsonObject;
    const of = { alert: { payload }, evidence: [], answer: {}, outcome: payload, hasImage: false };
    expect(() => [shownSections(display.sections, of), alertTitle({ payload }, display)]).not.toThrow();
  });
});

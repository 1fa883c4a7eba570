import { REASONS } from '@casefile/contracts';
import { openPage } from './watched-page.js';
import { openSample, WALK_MS, type SampleStage } from './sample-stage.js';

/** Number of cases to read per kind. More cases show nothing new. */
const CASES_OF_A_KIND = 3;
/** Fields of a case that contain codes. */
const CODE_FIELDS = ['reasonCode', 'errorCode', 'fallbackReason', 'endedBy', 'reason', 'code'];
const CODE = /^[a-z]+(?:_[a-z]+)+$/;
const CODES = Object.keys(REASONS).filter((code) => CODE.test(code));

/** Tests that pages show words instead of codes, and that citations are links. */
export function speaksInWords(stage: SampleStage): void {
  it(
    'S2-32 shows reason codes in words and citations as links, on the pages of every kind',
    async () => {
      const { browser, console: origin } = stage;
      const { page, offences, close } = await openPage(browser, origin, { baseURL: origin });
      const problems: string[] = [];
      for (const { path, id } of casesToRead(stage)) {
        const document: unknown = await (await fetch(`${origin}/api/v1/cases/${id}`)).json();
        const codes = [...new Set([...CODES, ...codesIn(document)])];
        await openSample(page, path);
        await page.evaluate('document.querySelectorAll("details").forEach((it) => (it.open = true))');
        problems.push(...(await page.evaluate<string[]>(rawWords(codes))).map((it) => `${path}: ${it}`));
      }
      for (const path of [
        '/',
        '/cases',
        '/inbox',
        '/inbox?type=letter',
        '/operate/tools',
        '/improve/trials',
      ]) {
        await openSample(page, path);
        problems.push(...(await page.evaluate<string[]>(rawWords(CODES))).map((it) => `${path}: ${it}`));
      }
      expect(problems).toEqual([]);
      expect(offences).toEqual([]);
      await close();
    },
    WALK_MS,
  );
}

function casesToRead({ cases }: SampleStage): SampleStage['cases'] {
  return cases.filter(
    ({ playbook }, i) => cases.slice(0, i).filter((it) => it.playbook === playbook).length < CASES_OF_A_KIND,
  );
}

function codesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    CODE_FIELDS.includes(name) && typeof part === 'string' && CODE.test(part) ? [part] : codesIn(part),
  );
}

// Returns text with a code. Text that is shown as recorded, such as JSON and the alert itself, is excluded.
function rawWords(codes: readonly string[]): string {
  return `(() => {
    const AS_RECORDED = 'pre, code, summary, .alert-text, .original, .payload-fields';
    const codes = ${JSON.stringify(codes)};
    const cited = new Set([...document.querySelectorAll('main a.citation')].map((it) => it.textContent));
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const problems = [];
    while (walker.nextNode()) {
      const { textContent: text, parentElement: parent } = walker.currentNode;
      if (parent.closest(AS_RECORDED) !== null) continue;
      for (const word of text.match(/[a-z]+(?:_[a-z]+)+/g) ?? [])
        if (codes.includes(word)) problems.push('the code ' + word + ' in "' + text.slice(0, 120) + '"');
      for (const [all, id] of text.matchAll(/\\[(E\\d+)\\]/g))
        if (cited.has(id) || document.getElementById(id) !== null)
          problems.push(all + ' is no link in "' + text.slice(0, 120) + '"');
    }
    return problems;
  })()`;
}

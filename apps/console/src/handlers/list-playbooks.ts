import type { AlertInput, PlaybookList } from '@casefile/contracts';
import { answerFields } from '../answer-fields.js';
import type { ConsolePorts } from '../console-ports.js';
import type { Handler } from '../http/route.js';

export const listPlaybooksInput = {};

/** The least of each that an alert may consist of. */
const PROBES: Record<'text' | 'image' | 'payload', AlertInput> = {
  text: { text: 'x' },
  image: { image: { mediaType: 'image/png', base64: 'AA==' } },
  payload: { payload: {} },
};

/** The kinds of case, and what an alert of each may consist of: each is asked by its own rules. */
export const listPlaybooks: Handler<typeof listPlaybooksInput, PlaybookList> = async ({
  playbooks,
  newRunSettings,
}) => ({
  playbooks: playbooks.map((one) => ({ ...listedPlaybook(one), settings: newRunSettings(one.name) })),
});

/** A kind of case as it stands in the list. */
export function listedPlaybook(
  playbook: ConsolePorts['playbooks'][number],
): PlaybookList['playbooks'][number] {
  const { name, version, tools, presenting } = playbook;
  return {
    name,
    title: titleOf(name),
    version,
    takes: (['text', 'image', 'payload'] as const).filter((part) => takes(playbook, PROBES[part], part)),
    tools: [...tools],
    clarifies: presenting.clarifies === true,
    rule: presenting.rule,
    answers: answerFields(presenting.judged),
    labels: { ...presenting.labels },
    view: presenting.view ?? null,
  };
}

// A rule about another part, or about what is inside this one, does not keep this part out.
function takes(
  { intake }: Pick<ConsolePorts['playbooks'][number], 'intake'>,
  probe: AlertInput,
  part: string,
): boolean {
  return intake.problems(probe).every(({ path }) => path.startsWith(`${part}.`));
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

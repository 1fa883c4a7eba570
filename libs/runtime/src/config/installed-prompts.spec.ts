import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { chooseSectionsPrompt, definePrompt, playbookNamed, kindPrompts } from '@casefile/pipeline';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { describeInstallation } from '../installation/describe-installation.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import { readConfig } from './read-config.js';
import { readPrompts } from './installed-prompts.js';

const prompts = kindPrompts(playbooks);
const scam = prompts.find(({ id }) => id === 'scam-verdict/answer@2')!;
const shipped = readFileSync(scam.file, 'utf8');

/** Returns a folder with these files. */
function folderOf(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder('prompts');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the texts of prompts', () => {
  it('are the shipped ones without a folder, and each keeps its id', () => {
    const texts = readPrompts(prompts);
    expect(prompts.map((prompt) => texts.of(prompt).id)).toEqual(prompts.map(({ id }) => id));
  });

  it('S2-20 of a folder go in place of the shipped ones, and their hash stands in the settings of a run', () => {
    const changed = shipped.replace('You are a fraud analyst.', 'You are a careful fraud analyst.');
    const folder = folderOf({ 'scam-verdict/answer@2.md': changed, 'notes.txt': 'mine' });
    const config = readConfig({ LLM_PROVIDER: 'none', CASEFILE_PROMPTS: folder }, kinds);
    const text = config.prompts.of(scam);
    expect(text.render({ system: {} })).toMatch(/^You are a careful fraud analyst\./);
    expect(text.id).toMatch(/^scam-verdict\/answer@2#[0-9a-f]{12}$/);
    expect(
      freezeSettings(playbookNamed('scam-verdict', playbooks), describeInstallation(config)).promptIds,
    ).toEqual({
      answer: text.id,
      crossExamination: 'scam-verdict/cross-examination@1',
    });
    expect(config.prompts.of(chooseSectionsPrompt).id).toBe('pi-search/choose@2');
  });

  it('of a mounted folder are found behind links, and what is hidden there is left alone', () => {
    const data = folderOf({ 'answer@2.md': shipped });
    const folder = folderOf({ '..data/scam-verdict/other.md': 'x' });
    symlinkSync(data, join(folder, 'scam-verdict'));
    expect(readPrompts(prompts, folder).of(scam).id).toBe('scam-verdict/answer@2');
  });

  it('are refused at start by file, placeholder and what was expected, all at once', () => {
    const folder = folderOf({
      'scam-verdict/answer@2.md': shipped.replace('{{schema}}', '{{scheme}}'),
      'scam-verdict/answer@1.md': shipped,
      'message-screening/normal@1.md': '',
      'message-screening/strict@1.md': Buffer.from([0xff, 0xfe, 0x41]),
    });
    const act = () => readConfig({ LLM_PROVIDER: 'none', CASEFILE_PROMPTS: folder }, kinds);
    expect(act).toThrow(expect.objectContaining({ reasonCode: 'bad_configuration' }));
    for (const problem of [
      /answer@2\.md: section task: expected the placeholder \{\{schema\}\}/,
      /answer@2\.md: section task: unknown placeholder \{\{scheme\}\}, expected \{\{schema\}\}/,
      /answer@1\.md: no prompt has this name; expected one of scam-verdict\/answer@2\.md, /,
      /normal@1\.md: expected a text, found an empty file/,
      /strict@1\.md: expected a file that can be read, in UTF-8/,
    ])
      expect(act).toThrow(problem);
  });

  it('of a folder that is not there are refused by the variable', () => {
    const act = () => readConfig({ LLM_PROVIDER: 'none', CASEFILE_PROMPTS: '/nonesuch' }, kinds);
    expect(act).toThrow(/CASEFILE_PROMPTS: expected a folder that can be read, found \/nonesuch/);
  });

  it('that no playbook declares are not handed out', () => {
    const undeclared = definePrompt({ id: 'x/y@1', file: scam.file, sections: {} });
    expect(() => readPrompts(prompts).of(undeclared)).toThrow(
      expect.objectContaining({ reasonCode: 'bad_playbook' }),
    );
  });
});

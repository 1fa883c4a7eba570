import type { PromptSet } from '@casefile/contracts';
import { keptPrompt, type Prompt, type PromptText, type PromptTexts, type Sections } from './prompt.js';

/**
 * The texts that a run's prompts were rendered from, under the declarations of today. A prompt is known by its name, whatever its
 * version: `<kind>/answer@2` takes the text that `<kind>/answer@1` had.
 * @param present For prompts that there were none of.
 */
export function keptPrompts({ prompts }: PromptSet, present: PromptTexts): PromptTexts {
  const known = new Map(prompts.map(({ id, text }) => [nameOf(id), keptPrompt(id, text)]));
  return {
    of: <S extends Sections>(prompt: Prompt<S>): PromptText<S> =>
      (known.get(nameOf(prompt.id)) as PromptText<S> | undefined) ?? present.of(prompt),
  };
}

function nameOf(id: string): string {
  const at = id.indexOf('@');
  return at < 0 ? id : id.slice(0, at);
}

import { CasefileError } from '@casefile/contracts';
import type { getLIDModel } from 'fasttext.wasm.js';

/** What an identifier makes of a text: language (BCP 47) and how probable it is, 0..1. */
export interface Identified {
  language: string;
  probability: number;
}

/** Tells the language of words; the same for the same words. */
export type Identify = (words: string) => Promise<Identified>;

type Model = ReturnType<typeof getLIDModel> extends Promise<infer M> ? M : never;
let loading: Promise<Model> | null = null;

/**
 * fastText's lid.176, in this process and offline. The model is loaded at the first call, and once.
 * @throws CasefileError `no_identifier` when it cannot be loaded; the next call tries again.
 */
export const fastTextIdentify: Identify = async (words) => {
  loading ??= loaded();
  const found = await (await loading).identify(words);
  return { language: found.alpha2 ?? found.alpha3, probability: Math.min(1, found.possibility) };
};

async function loaded(): Promise<Model> {
  try {
    const identifier = await import('fasttext.wasm.js');
    const model = await identifier.getLIDModel();
    await model.load();
    return model;
  } catch (cause) {
    loading = null;
    throw new CasefileError('no_identifier', 'the language identifier cannot be loaded', {
      cause,
      retryable: true,
    });
  }
}

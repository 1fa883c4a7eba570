import { CasefileError, type ReasonCode } from '@casefile/contracts';
import type { getLIDModel } from 'fasttext.wasm.js';

/** What an identifier makes of a text: language (BCP 47) and how probable it is, 0..1. */
export interface Identified {
  language: string;
  probability: number;
}

/** Tells the language of words; the same for the same words. */
export type Identify = (words: string) => Promise<Identified>;

type Model = ReturnType<typeof getLIDModel> extends Promise<infer M> ? M : never;

/**
 * fastText's lid.176, in this process and offline. The model is loaded at the first call, and once.
 * @param modelUrl Absent: the model that comes with the package.
 * @throws CasefileError `no_identifier` when it cannot be loaded, and the next call tries again; `identifier_failed`.
 */
export function fastTextIdentifier(modelUrl?: URL): Identify {
  let loading: Promise<Model> | null = null;
  const model = () =>
    (loading ??= loaded(modelUrl).catch((cause: unknown) => {
      loading = null;
      throw failure('no_identifier', 'the language identifier cannot be loaded', cause);
    }));
  return async (words) => {
    const identifier = await model();
    try {
      const found = await identifier.identify(words);
      return { language: found.alpha2 ?? found.alpha3, probability: Math.min(1, found.possibility) };
    } catch (cause) {
      throw failure('identifier_failed', 'the language identifier failed over a text', cause);
    }
  };
}

/** One for the whole process: its model is a megabyte. */
export const fastTextIdentify = fastTextIdentifier();

async function loaded(modelUrl: URL | undefined): Promise<Model> {
  const identifier = await import('fasttext.wasm.js');
  const model = await identifier.getLIDModel(modelUrl === undefined ? {} : { modelPath: modelUrl.href });
  await model.load();
  return model;
}

function failure(reasonCode: ReasonCode, message: string, cause: unknown): CasefileError {
  return new CasefileError(reasonCode, message, { cause, retryable: true });
}

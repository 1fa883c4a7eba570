import type { RunSettings, TextReader } from '@casefile/contracts';
import type { PromptTexts } from '@casefile/pipeline';
import {
  chosenOption,
  stageKey,
  openJournal,
  portsWith,
  type Opening,
  type OwnPorts,
  type World,
} from '../calls/live-world.js';
import { withModelFeatures } from '../calls/model-features.js';
import { StageTools } from '../calls/stage-tools.js';
import { RecordedModel } from './recorded-model.js';
import { RecordedTools } from './recorded-tools.js';
import type { Recording } from './recording.js';

type RecordedSettings = NonNullable<RunSettings['recorded']>;

/** Opens the world of a run that reads the record of another run instead of external systems. */
export async function recordedWorld(opening: Opening, recorded: RecordedSettings): Promise<World> {
  const { ports, work, signal } = opening;
  const { lease, settings } = work;
  const { ids, clock, recordings } = ports;
  const recording = await recordings.of(recorded.run);
  const key = stageKey(lease);
  const journal = openJournal(opening, () => tools.takeInlineCalls(), recording.seedOf(lease));
  const model = new RecordedModel({ key, settings, recording, ids }, journal);
  const tools = new RecordedTools(new StageTools(key, work, ports, signal), {
    key,
    recording,
    ids,
    clock,
    tell: (type, data) => journal.tell(type, data),
    read: (call, id) => model.readOfTool(id, recording.askedBy(call.id)),
  });
  const own: OwnPorts = {
    model: withModelFeatures(ports.modelFeatures, model, work),
    tools,
    signals: {
      chosen: (step, { fallback }) => {
        const question = recording.signalsAt(lease).find((one) => one.step === step);
        return chosenOption(question, fallback, false);
      },
    },
    answers: {
      // A replay reuses the answer that the recorded run reused. Any other run makes its own answer.
      take: async () => {
        const reused = recorded.misses === 'stop' ? recording.artifact('evidence')?.reused : undefined;
        return reused === undefined ? { kind: 'make' } : { kind: 'reuse', of: reused };
      },
      artifact: async (runId, name) => (await recordings.of(runId)).lastArtifact(name),
    },
    resolvedAt: async () => recording.resolvedAt(key, journal.stepsCalled.size),
    prompts: await openingPrompts(opening, recorded, recording),
    reader: recordingReader(recording, ports.reader),
  };
  return { ports: portsWith(opening, recorded.first ?? lease.runId, own), journal, tools, reads: model };
}

// A run that may not ask a model renders its prompts from the recorded texts.
async function openingPrompts(
  { ports: { storedPrompts }, prompts: { texts }, work: { lease } }: Opening,
  recorded: RecordedSettings,
  recording: Recording,
): Promise<PromptTexts> {
  if (recorded.misses !== 'stop' || recorded.prompts === 'now') return texts;
  const setId = recording.promptSetOf(lease);
  return (setId === null ? null : await storedPrompts.of(setId)) ?? texts;
}

/**
 * The text of an image is evidence too, so the image is not read again. Runs of an earlier release recorded
 * no such text if the alert had an image and a text, because only the text was read.
 */
function recordingReader(recording: Recording, reader: TextReader): TextReader {
  const brief = recording.artifact('brief');
  if (brief === undefined || brief.textSource === 'none') return reader;
  const { image: reading, text, textSource, ocrConfidence = 0 } = brief;
  const recorded = textSource === 'ocr' ? { text, confidence: ocrConfidence } : { text: '', confidence: 0 };
  const read = reading === undefined ? recorded : { ...recorded, text: reading.text, reading };
  return { read: async () => read, close: async () => undefined };
}

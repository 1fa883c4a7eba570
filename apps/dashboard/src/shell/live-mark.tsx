import { useLiveState } from '../live/live-updates.js';
import { Dot, type Tone } from '../ui/badge.js';
import './live-mark.css';

const WORDS = { live: 'Live', connecting: 'Connecting', offline: 'Offline' } as const;
const TONES: Record<keyof typeof WORDS, Tone> = { live: 'green', connecting: 'neutral', offline: 'red' };

/** Is what is shown up to date? */
export function LiveMark() {
  const state = useLiveState();
  return (
    <span
      className="live-mark"
      role="status"
      title={state === 'live' ? 'Updates arrive as they happen' : undefined}
    >
      <Dot tone={TONES[state]} kind={state === 'live' ? 'pulse' : 'still'} />
      <span>{WORDS[state]}</span>
    </span>
  );
}

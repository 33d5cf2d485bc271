// Sounds, made by the browser. Each of the opponent's moves sounds the same, whatever it was.

import { settings } from "./settings.ts";

export type Sound = "own" | "theirs" | "end" | "low" | "refused";

/** Hertz, seconds after the first, seconds of length, loudness. */
type Note = [number, number, number, number];

const NOTES: Record<Sound, Note[]> = {
  own: [[330, 0, 0.07, 0.2]],
  theirs: [
    [247, 0, 0.08, 0.22],
    [330, 0.07, 0.09, 0.16],
  ],
  end: [
    [262, 0, 0.22, 0.16],
    [330, 0.13, 0.24, 0.16],
    [392, 0.26, 0.42, 0.16],
  ],
  low: [
    [880, 0, 0.07, 0.12],
    [880, 0.14, 0.07, 0.12],
  ],
  refused: [[165, 0, 0.12, 0.16]],
};

let context: AudioContext | null = null;

/** Plays a sound, if the player wants sounds and the browser allows them yet. */
export function play(sound: Sound): void {
  if (!settings.get("sound") || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const begin = context.currentTime + 0.01;
  for (const [hertz, after, length, loudness] of NOTES[sound]) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, begin + after);
    gain.gain.linearRampToValueAtTime(loudness, begin + after + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0008, begin + after + length);
    tone.connect(gain).connect(context.destination);
    tone.start(begin + after);
    tone.stop(begin + after + length + 0.02);
  }
}

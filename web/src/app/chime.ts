// Two short synthesised tones, so there is no sound file to fetch. Browsers play nothing before the first interaction.
let context: AudioContext | undefined;

const tones = [
  { hertz: 660, atSeconds: 0 },
  { hertz: 880, atSeconds: 0.12 },
] as const;
const toneSeconds = 0.22;
const loudness = 0.12;

export function playChime(): void {
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  for (const { hertz, atSeconds } of tones) {
    const from = currentTime + atSeconds;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(loudness, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + toneSeconds);
    oscillator.connect(gain).connect(destination);
    oscillator.start(from);
    oscillator.stop(from + toneSeconds);
  }
}

/** Two soft tones, made here: no file is loaded for them. */
export function ring(): void {
  const audio = new AudioContext();
  const tone = (frequency: number, from: number): void => {
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, audio.currentTime + from);
    volume.gain.exponentialRampToValueAtTime(0.12, audio.currentTime + from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + from + 0.35);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(audio.currentTime + from);
    oscillator.stop(audio.currentTime + from + 0.4);
  };
  tone(660, 0);
  tone(880, 0.16);
  setTimeout(() => void audio.close(), 1000);
}

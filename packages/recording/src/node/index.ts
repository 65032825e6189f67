export { openRecording, type Recording, type RecordingOptions } from './open-recording.ts';

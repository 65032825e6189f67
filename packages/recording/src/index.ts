export type {
  FrameDirection,
  RecordedFault,
  RecordedFrame,
  RecordingEntry,
  RecordingHead,
  UnreadableLine,
} from './entry.ts';
export { EntryReader } from './entry-reader.ts';
export { frameLine, headLine, type WrittenFrame } from './line.ts';
export { readLines, type Line } from './lines.ts';
export { idKey, sessionOf, viewMessage, type MessageView } from './message-view.ts';
export { maxRecordedBytes, readRecording } from './read-recording.ts';
export { RecordingError, type RecordingErrorCode } from './recording-error.ts';
export { redacted, redactText } from './redact-text.ts';
export { Redactor } from './redactor.ts';
export { namesSecret } from './secret-name.ts';
export { Trace, type OpenRequest, type TracedFrame } from './trace.ts';

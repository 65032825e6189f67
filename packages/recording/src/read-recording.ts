import { EntryReader } from './entry-reader.ts';
import type { RecordingEntry } from './entry.ts';
import { readLines } from './lines.ts';

/** Length of the longest line that is read: the longest line of an agent, plus the fields around it. */
export const maxRecordedBytes: number = 96 * 1024 * 1024;

/** Reads a recording of any length as it arrives, one line at a time. */
export async function* readRecording(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<RecordingEntry, void> {
  const reader = new EntryReader();
  for await (const line of readLines(chunks, { maxBytes: maxRecordedBytes })) {
    const entry = reader.read(line);
    if (entry !== undefined) yield entry;
  }
}

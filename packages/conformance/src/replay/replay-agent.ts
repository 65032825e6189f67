import { open, type FileHandle } from 'node:fs/promises';
import { memoryPair, type Transport } from '@parley/wire';
import { indexRecording, type RecordingIndex } from './recording-index.ts';
import { replay, type ReplayOptions } from './replay.ts';

/** The client's end of a connection to the agent of a recording, for tests. */
export interface ReplayedAgent extends Transport {
  /** Differences between client and recording so far. */
  readonly departures: readonly string[];
}

/** Opens a recording as an agent: `connectAgent({ transport: await replayAgent(file), … })`. */
export async function replayAgent(file: string, options: ReplayOptions = {}): Promise<ReplayedAgent> {
  const departures: string[] = [];
  const [client, agent] = memoryPair();
  const played = await replayFile(file, agent, {
    ...options,
    onDeparture(what) {
      departures.push(what);
      options.onDeparture?.(what);
    },
  });
  return {
    departures,
    start: (receiver) => {
      client.start(receiver);
    },
    send: (batch) => client.send(batch),
    async close(reason) {
      await client.close(reason);
      await played.ended;
    },
  };
}

/** Replays a recording as the agent at this end of a transport. The whole file is read before anything is sent. */
export async function replayFile(
  path: string,
  transport: Transport,
  options: ReplayOptions = {},
): Promise<{ readonly ended: Promise<void> }> {
  const file = await open(path);
  try {
    const index = await indexRecording(file);
    return { ended: playThenClose({ file, index }, transport, options) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function playThenClose(
  recording: { readonly file: FileHandle; readonly index: RecordingIndex },
  transport: Transport,
  options: ReplayOptions,
): Promise<void> {
  try {
    await replay(recording, transport, options);
  } finally {
    await recording.file.close();
  }
}

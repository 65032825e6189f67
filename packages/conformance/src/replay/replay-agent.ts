import { open, type FileHandle } from 'node:fs/promises';
import { memoryPair, type Transport } from '@parley/wire';
import { indexRecording, type RecordingIndex } from './recording-index.ts';
import { replay, type ReplayOptions } from './replay.ts';

/** The agent of a recording, for a test: the client's end of a connection to it. */
export interface ReplayedAgent extends Transport {
  /** Where client and recording went different ways, so far. */
  readonly departures: readonly string[];
}

/** Opens a recording as an agent to connect to: `connectAgent({ transport: await replayAgent(file), … })`. */
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

/** Plays a recording as the agent at this end of a transport. The file is read before anything is sent. */
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

import { startReport } from './agent-report.ts';
import { chunkUpdate, readContent, toolUpdate } from './payload.ts';
import type { ChunkUpdate, ToolUpdate } from './payload.ts';
import { parseWork } from './work.ts';
import type { Work } from './work.ts';

/** What an agent needs of its library in order to do the work of a prompt. */
export interface Turn {
  /** Sends a `session/update`; settles when the library says that the next one may be sent. */
  update(update: ChunkUpdate | ToolUpdate): Promise<void>;
  /** Asks the client for a file, and gives its content. */
  read(): Promise<string>;
}

/** Does what the prompt asks for, in the same way with every library: each send is awaited before the next. */
export async function perform(prompt: string, turn: Turn): Promise<void> {
  const work = parseWork(prompt);
  const { roundTrips } = startReport();
  switch (work.kind) {
    case 'chunks':
    case 'repeat':
      for (let index = 0; index < work.count; index++) await turn.update(chunkUpdate(index));
      return;
    case 'tool-updates':
      for (let index = 0; index < work.count; index++) await turn.update(toolUpdate(index));
      return;
    case 'reads':
      await readMany(work, turn, roundTrips);
      return;
    case 'line':
      await turn.update({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: 'x'.repeat(work.bytes) },
      });
      return;
  }
}

async function readMany(
  work: Extract<Work, { kind: 'reads' }>,
  turn: Turn,
  roundTrips: number[],
): Promise<void> {
  let left = work.count;
  const reader = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      const content = await turn.read();
      roundTrips.push(performance.now() - start);
      if (content !== readContent) throw new Error('a read was answered with something else');
    }
  };
  await Promise.all(Array.from({ length: work.inFlight }, reader));
}

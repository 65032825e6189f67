/** The session every program of the bench talks about. */
export const sessionId = 'sess_0123456789abcdef';

/** The file that every read asks for. */
export const readPath = '/home/user/project/src/index.ts';

/** What every read is answered. */
export const readContent = "export { connect } from './connection.ts';\n".repeat(3);

/** An `agent_message_chunk` as an agent that streams an answer sends it; its line has about 300 bytes. */
export interface ChunkUpdate {
  readonly sessionUpdate: 'agent_message_chunk';
  readonly content: { readonly type: 'text'; readonly text: string };
}

/** Makes the `index`th chunk of a stream. */
export function chunkUpdate(index: number): ChunkUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: streamText(index) } };
}

/** A `tool_call_update` as an agent that runs a tool sends it; its line has about 400 bytes. */
export interface ToolUpdate {
  readonly sessionUpdate: 'tool_call_update';
  readonly toolCallId: string;
  readonly title: string;
  readonly kind: 'read';
  readonly status: 'in_progress';
  // Mutable, because the types of the official package say so.
  readonly content: { type: 'content'; content: { type: 'text'; text: string } }[];
  readonly locations: { path: string; line: number }[];
}

/** Makes the `index`th update of a stream of tool progress. */
export function toolUpdate(index: number): ToolUpdate {
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'call_0001',
    title: 'Read index.ts',
    kind: 'read',
    status: 'in_progress',
    content: [{ type: 'content', content: { type: 'text', text: toolText(index) } }],
    locations: [{ path: readPath, line: 12 }],
  };
}

/** The text of the `index`th chunk: always of the same length, and different for each index. */
export function streamText(index: number): string {
  return numbered(index, chunkFiller);
}

/** The text of the `index`th tool update. */
export function toolText(index: number): string {
  return numbered(index, toolFiller);
}

const chunkFiller =
  ' The function reads the lines one by one, keeps "what" was left over, and joins it with the next read; nothing else is held.\n';
const toolFiller = ' lines read of src/index.ts, 80 of them "imports"\n';

function numbered(index: number, filler: string): string {
  return String(index).padStart(7, '0') + filler;
}

import { startReport } from './agent-report.ts';
import { onLines, write } from './lines.ts';
import { chunkUpdate, readContent, readPath, sessionId, toolUpdate } from './payload.ts';
import type { ChunkUpdate, ToolUpdate } from './payload.ts';
import { parseWork } from './work.ts';
import type { Work } from './work.ts';

// The limit: no library. Lines are made before they are needed and leave in large writes; what comes in is split on
// newline and parsed, nothing else.

interface Incoming {
  readonly id: number | string;
  readonly method?: string;
  readonly params: { readonly prompt: readonly { readonly text: string }[] };
  readonly result: { readonly content: string };
}

/** A multiple of ten, so that each block ends where the numbering of the next begins. */
const linesPerWrite = 250;
let onAnswers: (answers: readonly Incoming[]) => void = () => undefined;

onLines(process.stdin, (lines) => {
  const answers: Incoming[] = [];
  for (const line of lines) {
    const message: Incoming = JSON.parse(line);
    if (message.method === undefined) answers.push(message);
    else void answer(message);
  }
  if (answers.length > 0) onAnswers(answers);
});

async function answer(message: Incoming): Promise<void> {
  switch (message.method) {
    case 'initialize':
      return send(message.id, {
        protocolVersion: 1,
        agentInfo: { name: 'bare', version: '1.0.0' },
        agentCapabilities: {},
      });
    case 'session/new':
      return send(message.id, { sessionId });
    case 'session/prompt':
      await perform(parseWork(message.params.prompt[0]?.text ?? ''));
      return send(message.id, { stopReason: 'end_turn' });
    default:
      throw new Error(`the bare agent does not know ${message.method}`);
  }
}

async function send(id: number | string, result: unknown): Promise<void> {
  await write(process.stdout, `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

async function perform(work: Work): Promise<void> {
  const { roundTrips } = startReport();
  switch (work.kind) {
    case 'chunks':
    case 'repeat':
      return stream(work.count, chunkUpdate);
    case 'tool-updates':
      return stream(work.count, toolUpdate);
    case 'reads':
      return readMany(work, roundTrips);
    case 'line':
      return write(
        process.stdout,
        updateLine({
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: 'x'.repeat(work.bytes) },
        }),
      );
  }
}

async function stream(count: number, update: (index: number) => ChunkUpdate | ToolUpdate): Promise<void> {
  const last = count % linesPerWrite || linesPerWrite;
  const block = Array.from({ length: linesPerWrite }, (_, index) => updateLine(update(index))).join('');
  for (let sent = 0; sent < count - last; sent += linesPerWrite) await write(process.stdout, block);
  const end = Array.from({ length: last }, (_, index) => updateLine(update(count - last + index))).join('');
  await write(process.stdout, end);
}

function updateLine(update: ChunkUpdate | ToolUpdate): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } })}\n`;
}

async function readMany(work: Extract<Work, { kind: 'reads' }>, roundTrips: number[]): Promise<void> {
  const tail = `,"method":"fs/read_text_file","params":${JSON.stringify({ sessionId, path: readPath })}}\n`;
  const startedAt = new Map<number | string, number>();
  let sent = 0;
  const ask = (count: number): void => {
    let text = '';
    for (let index = 0; index < count && sent < work.count; index++) {
      sent += 1;
      startedAt.set(sent, performance.now());
      text += `{"jsonrpc":"2.0","id":${sent}${tail}`;
    }
    if (text !== '') process.stdout.write(text);
  };
  await new Promise<void>((resolve) => {
    onAnswers = (answers) => {
      for (const { id, result } of answers) {
        if (result.content !== readContent) throw new Error('a read was answered with something else');
        roundTrips.push(performance.now() - (startedAt.get(id) ?? 0));
        startedAt.delete(id);
      }
      ask(answers.length);
      if (roundTrips.length === work.count) resolve();
    };
    ask(work.inFlight);
  });
}

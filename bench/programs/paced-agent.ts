import { onLines, write } from './lines.ts';
import { sessionId } from './payload.ts';
import { timeMark } from './time-mark.ts';

// An agent that streams an answer at an even pace; each chunk says when it left. The prompt is how many there are.

interface Incoming {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text?: string }[] };
}

const intervalMs = 20;
/** Answers have paragraphs; a page lays out the last one alone. */
const chunksPerParagraph = 25;

onLines(process.stdin, (lines) => {
  for (const line of lines) {
    const message: Incoming = JSON.parse(line);
    if (message.id !== undefined) void answer(message);
  }
});

async function answer({ id, method, params }: Incoming): Promise<void> {
  switch (method) {
    case 'initialize':
      return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    case 'session/new':
      return send({ id, result: { sessionId } });
    case 'session/prompt':
      await stream(Number(params?.prompt?.[0]?.text));
      return send({ id, result: { stopReason: 'end_turn' } });
    default:
      return send({ id, error: { code: -32_601, message: `${method}: not part of the bench` } });
  }
}

/** Timers that are late do not add up: each chunk has a time of its own. */
async function stream(count: number): Promise<void> {
  const begun = performance.now();
  for (let index = 0; index < count; index += 1) {
    const waitMs = begun + (index + 1) * intervalMs - performance.now();
    await new Promise((resolve) => {
      setTimeout(resolve, waitMs);
    });
    const end = index % chunksPerParagraph === chunksPerParagraph - 1 ? '.\n\n' : ' ';
    const text = `${timeMark()} of an answer${end}`;
    await send({
      method: 'session/update',
      params: {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      },
    });
  }
}

async function send(message: object): Promise<void> {
  await write(process.stdout, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

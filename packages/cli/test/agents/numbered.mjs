// An agent whose turns have numbered side effects, as raw lines. A prompt is "ID STEPS": for each step it appends the line "ID STEP"
// to the file of its first argument, and says the same. Its second argument is the pause before each step, in milliseconds, and the
// file of its third one has a line for each process, "PID NAME", where NAME is the variable NUMBERED_BY, and for each session that it
// opens, "PID NAME SESSION".
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [effects = '', pause = '0', processes = ''] = process.argv.slice(2);
note();

/** @param {string} [sessionId] */
function note(sessionId) {
  const words = [process.pid, process.env.NUMBERED_BY, sessionId];
  appendFileSync(processes, `${words.filter((word) => word !== undefined).join(' ')}\n`);
}

/** @typedef {Record<string, any>} Fields What JSON holds. */

/** @param {Fields} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @param {Fields} params */
async function prompt({ sessionId, prompt: blocks }) {
  const [id, steps] = blocks.at(-1).text.split(' ');
  for (let step = 1; step <= Number(steps); step += 1) {
    await new Promise((resolve) => setTimeout(resolve, Number(pause)));
    appendFileSync(effects, `${id} ${step}\n`);
    const content = { type: 'text', text: `${id} ${step};` };
    const update = { sessionUpdate: 'agent_message_chunk', content };
    send({ method: 'session/update', params: { sessionId, update } });
  }
  return { stopReason: 'end_turn' };
}

/** @param {Fields} message */
async function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: 1,
        agentInfo: { name: 'numbered', version: '1.0.0' },
        agentCapabilities: { sessionCapabilities: { resume: {} } },
      };
    case 'session/new': {
      const sessionId = `numbered-${process.pid}-${Date.now()}`;
      note(sessionId);
      return { sessionId };
    }
    case 'session/resume':
      note(params.sessionId);
      return {};
    case 'session/prompt':
      return prompt(params);
    default:
      return undefined;
  }
}

/** @param {Fields} message */
async function respond(message) {
  if (message.id === undefined || message.method === undefined) return;
  const result = await answer(message);
  const failure = { code: -32601, message: 'Method not found' };
  send({ id: message.id, ...(result === undefined ? { error: failure } : { result }) });
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void respond(JSON.parse(line)));
lines.on('close', () => process.exit(0));

// An agent whose turn is a number of updates of about 300 bytes, written as fast as the client takes them. To the
// file that FLOOD_LOG names it writes its process id, when it had to wait for the client for a second, and its end.
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const count = Number(process.argv[2]);
const kind = process.argv[3] ?? 'agent_message_chunk';
const sessionId = 'flood-1';
/** @type {Record<string, object>} */
const answers = {
  initialize: { protocolVersion: 1, agentCapabilities: {} },
  'session/new': { sessionId },
};

/** @param {string} text */
function report(text) {
  if (process.env.FLOOD_LOG) appendFileSync(process.env.FLOOD_LOG, `${text}\n`);
}

/** @param {object} message */
function send(message) {
  return process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @param {number} index */
function fields(index) {
  if (kind === 'tool_call_update') {
    const status = index % 2 === 0 ? 'in_progress' : 'completed';
    return { sessionUpdate: kind, toolCallId: 't', status, title: 'x'.repeat(200), rawOutput: { index } };
  }
  const text = `${String(index).padStart(7, '0')}${'x'.repeat(150)}\n`;
  return { sessionUpdate: kind, content: { type: 'text', text } };
}

/** @param {number} id */
async function flood(id) {
  for (let index = 0; index < count; index += 1) {
    if (send({ method: 'session/update', params: { sessionId, update: fields(index) } })) continue;
    const waiting = setTimeout(report, 1000, `stalled after ${index}`);
    await once(process.stdout, 'drain');
    clearTimeout(waiting);
  }
  report('finished');
  send({ id, result: { stopReason: 'end_turn' } });
}

report(`pid ${process.pid}`);
for await (const line of createInterface({ input: process.stdin })) {
  /** @type {{ id?: number, method: string }} */
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === 'session/prompt') void flood(id);
  else send({ id, result: answers[method] ?? {} });
}
process.exit(0);

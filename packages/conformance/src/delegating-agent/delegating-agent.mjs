// node delegating-agent.mjs: an ACP agent whose prompt is a list of calls of the tools of its first MCP server over stdio,
// `[["delegate", {…}], ["wait", {"id": 0}], …]`: an `id` that is a number is the id that the call at that position returned.
// It says each result, one line of JSON each. Where a prompt is no such list, it repeats it. After a call "stay" it waits for its cancel.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { startAgent } from '../faulty-agent/agent.mjs';

/** @typedef {import('../faulty-agent/agent.mjs').Message} Message */

/** The servers of each session. @type {Map<string, any[]>} */
const servers = new Map();
let sessions = 0;

startAgent({
  what: 'It delegates.',
  on: {
    'session/new': (agent, { id, params }) => {
      const sessionId = `delegating-${++sessions}`;
      servers.set(sessionId, params.mcpServers);
      agent.send({ id, result: { sessionId } });
    },
    'session/prompt': async (agent, { id, params: { sessionId, prompt } }) => {
      const [{ text = '' }] = prompt;
      const cancelled = agent.untilCancelled(sessionId).then(() => 'cancelled');
      const stopReason = await Promise.race([play(agent, sessionId, text), cancelled]);
      agent.send({ id, result: { stopReason } });
    },
  },
});

/** @type {(agent: import('../faulty-agent/agent.mjs').Agent, sessionId: string, text: string) => Promise<string>} */
async function play(agent, sessionId, text) {
  const calls = callsIn(text);
  if (calls === undefined) {
    agent.say(sessionId, text);
    return 'end_turn';
  }
  const server = servers.get(sessionId)?.find(({ command }) => command !== undefined);
  if (server === undefined) {
    agent.say(sessionId, 'no MCP server\n');
    return 'end_turn';
  }
  const connection = await connect(server);
  /** @type {any[]} */
  const results = [];
  for (const [name, input] of calls) {
    if (name === 'stay') await new Promise(() => {});
    const at = input?.id;
    const given = typeof at === 'number' ? { ...input, id: results[at]?.id } : input;
    const { result, error } = await connection.call('tools/call', { name, arguments: given });
    const words = result?.content?.[0]?.text ?? JSON.stringify(error);
    results.push(result?.isError === true || error !== undefined ? { refused: words } : JSON.parse(words));
    agent.say(sessionId, `${JSON.stringify(results.at(-1))}\n`);
  }
  connection.close();
  return 'end_turn';
}

/** @type {(text: string) => [string, any][] | undefined} */
function callsIn(text) {
  try {
    const calls = JSON.parse(text);
    return Array.isArray(calls) ? calls : undefined;
  } catch {
    return undefined;
  }
}

/** @type {(server: any) => Promise<{ call: (method: string, params: object) => Promise<any>, close: () => void }>} */
async function connect({ command, args, env }) {
  const variables = Object.fromEntries(env.map((/** @type {any} */ { name, value }) => [name, value]));
  const child = spawn(command, args, {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  /** @type {Map<number, (answer: Message) => void>} */
  const pending = new Map();
  let lastId = 0;
  /** @type {(message: object) => void} */
  const send = (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    pending.get(message.id)?.(message);
  });
  /** @type {(method: string, params: object) => Promise<any>} */
  const call = (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      pending.set(id, resolve);
      send({ id, method, params });
    });
  await call('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'delegating', version: '1.0.0' },
  });
  send({ method: 'notifications/initialized' });
  return { call, close: () => child.stdin.end() };
}

// An agent on raw JSON lines, which knows nothing of our libraries. Its first argument says how it starts, and each
// prompt is a JSON list of steps it carries out. What its own requests came to, it says in message chunks.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const start = JSON.parse(process.argv[2] ?? '{}');
const pending = new Map();
const cancelled = new Map();
let requestCancelled = () => {};
let nextId = 1;
let sessions = 0;

if (start.stderr !== undefined) process.stderr.write(start.stderr);
if (start.stdout !== undefined) process.stdout.write(start.stdout);
if (start.ignoreTerm === true) process.on('SIGTERM', () => {});
if (start.stayAtEnd === true) setInterval(() => {}, 1000);
if (start.grandchild === true) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  child.unref();
  process.stderr.write(`grandchild ${child.pid}\n`);
}
if (start.exit !== undefined) process.exit(start.exit);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const request = (method, params) =>
  new Promise((resolve) => {
    const id = `agent-${nextId++}`;
    pending.set(id, resolve);
    send({ id, method, params });
  });

const update = (sessionId, value) => send({ method: 'session/update', params: { sessionId, update: value } });

const say = (sessionId, value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
};

const saved = {};
/** Puts the session's id and saved results in: "$SESSION", {"$": "name"}. */
const fill = (sessionId, value) => {
  if (value === '$SESSION') return sessionId;
  if (Array.isArray(value)) return value.map((item) => fill(sessionId, item));
  if (value === null || typeof value !== 'object') return value;
  if (value.$ !== undefined) return saved[value.$];
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(sessionId, item)]));
};

async function step(sessionId, action) {
  if (action.request !== undefined) {
    const answer = await request(action.request, fill(sessionId, action.params));
    if (action.save !== undefined) saved[action.save] = answer.result?.[action.save];
    say(sessionId, answer.error === undefined ? { result: answer.result } : { error: answer.error });
  }
  if (action.parallel !== undefined) await Promise.all(action.parallel.map((each) => step(sessionId, each)));
  if (action.say !== undefined) say(sessionId, action.say);
  if (action.update !== undefined) update(sessionId, fill(sessionId, action.update));
  if (action.flood !== undefined) {
    for (let index = 0; index < action.flood; index++) {
      say(sessionId, String(index));
      if (index % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (action.stdout !== undefined) process.stdout.write(action.stdout);
  if (action.bytes !== undefined) process.stdout.write(Buffer.from(action.bytes));
  if (action.longLine !== undefined) {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let left = action.longLine; left > 0; left -= piece.length) {
      if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    process.stdout.write('\n');
  }
  if (action.stderr !== undefined) process.stderr.write(action.stderr);
  if (action.exit !== undefined) process.exit(action.exit);
  if (action.waitForCancel !== undefined) await new Promise((resolve) => cancelled.set(sessionId, resolve));
  if (action.waitForRequestCancel !== undefined) await new Promise((resolve) => (requestCancelled = resolve));
  if (action.forever !== undefined) await new Promise(() => {});
}

async function prompt(id, { sessionId, prompt: blocks }) {
  const steps = JSON.parse(blocks[0].text);
  let stopReason = 'end_turn';
  let after = [];
  for (const action of steps) {
    if (action.stop !== undefined) stopReason = action.stop;
    else if (action.after !== undefined) after = action.after;
    else if (action.error !== undefined) return send({ id, error: action.error });
    else await step(sessionId, action);
  }
  send({ id, result: { stopReason } });
  for (const action of after) await step(sessionId, action);
}

const methods = {
  initialize: (id) => {
    if (start.initialize === 'hang') return;
    if (start.initialize === 'exit') process.exit(3);
    const answer = {
      protocolVersion: 1,
      agentInfo: { name: 'scripted', version: '1.2.3' },
      agentCapabilities: start.capabilities ?? {},
    };
    send({ id, result: { ...answer, ...start.initialize } });
  },
  'session/new': async (id, params) => {
    if (start.newSession === 'never') return;
    if (start.newSessionError !== undefined) return send({ id, error: start.newSessionError });
    const sessionId = `session-${++sessions}`;
    if (start.early !== undefined) update(sessionId, start.early);
    send({ id, result: { sessionId, ...start.newSession, _meta: { params } } });
    for (const action of start.afterNew ?? []) await step(sessionId, action);
  },
  'session/load': (id, { sessionId }) => {
    say(sessionId, 'replayed');
    send({ id, result: {} });
  },
  'session/resume': (id) => send({ id, result: {} }),
  'session/close': (id) => send({ id, result: {} }),
  'session/prompt': prompt,
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    pending.get(message.id)?.(message);
    pending.delete(message.id);
  } else if (message.method === 'session/cancel') {
    cancelled.get(message.params.sessionId)?.();
  } else if (message.method === '$/cancel_request') {
    requestCancelled();
  } else if (message.id !== undefined && !start.never?.includes(message.method)) {
    const method = methods[message.method];
    if (start.missing?.includes(message.method)) {
      send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
    } else if (method === undefined) {
      // Any other request is answered with what it said.
      send({ id: message.id, result: start.answers?.[message.method] ?? { echo: message.params } });
    } else void method(message.id, message.params);
  }
});

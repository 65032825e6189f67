// An agent that does everything right, save for one configured fault.
import { createInterface } from 'node:readline';

const [fault = ''] = process.argv.slice(2);
const sessions = new Map();
let last = 0;
const codes = { 'a code of its own': -1, 'a code that is a text': 'E' };
const notUtf8 = Buffer.from('{"jsonrpc":"2.0","method":"_x/\xff"}\n', 'latin1');

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, result) => {
  if (fault === 'both result and error') return write({ id, result, error: { code: 1, message: 'x' } });
  if (fault === 'ids as texts') return write({ id: String(id), result });
  write({ id, result });
};
const refuse = (id, code, message) => write({ id, error: { code, message } });
const update = (sessionId, fields) =>
  write({ method: 'session/update', params: { sessionId, update: fields } });
const say = (sessionId, text, sessionUpdate = 'agent_message_chunk') =>
  update(sessionId, { sessionUpdate, content: { type: 'text', text } });
const options = () => [
  {
    id: 'tone',
    name: 'Tone',
    type: 'select',
    currentValue: fault === 'an option without its value' ? 'loud' : tone,
    options: ['plain', 'warm'].map((value) => ({ value, name: value })),
  },
  ...(fault === 'a boolean option' ? [{ id: 'b', name: 'B', type: 'boolean', currentValue: true }] : []),
];
let tone = 'plain';

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion:
      fault === 'another version' ? 2 : fault === 'an echo of the version' ? protocolVersion : 1,
    ...(fault !== 'no name' && { agentInfo: { name: 'wrong', version: '1' } }),
    ...(fault === 'a bad initialize' && { protocolVersion: 'one' }),
    ...(fault === 'a field of its own' && { mine: 1 }),
    authMethods:
      fault === 'a terminal method'
        ? [{ type: 'terminal', id: 't', name: 'T' }]
        : fault === 'methods with one id'
          ? [
              { id: 'a', name: 'A' },
              { id: 'a', name: 'B' },
            ]
          : [],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, delete: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
  }),
  authenticate: () => ({}),
  logout: () => {
    if (fault === 'no logout') throw new Error('logout');
    return {};
  },
  'session/new': (params) => {
    if (params._meta !== undefined && fault === 'no _meta') throw new Error('_meta');
    if (params.additionalDirectories !== undefined && fault === 'no further directory') throw new Error('x');
    if (typeof params.cwd !== 'string') throw new Error(fault === 'a long error' ? 'one\ntwo' : 'cwd');
    if (fault === 'it wants a login') throw Object.assign(new Error('auth'), { code: -32000 });
    const sessionId = fault === 'one id for all' ? 'same' : `s${++last}`;
    sessions.set(sessionId, { cwd: params.cwd, said: [] });
    if (fault === 'no session id') return {};
    return {
      sessionId,
      configOptions: options(),
      modes: {
        currentModeId: fault === 'no such mode' ? 'z' : 'a',
        availableModes: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B' },
        ],
      },
    };
  },
  'session/load': ({ sessionId }) => {
    if (fault === 'no load') throw new Error('load');
    if (fault === 'a silent load') return {};
    for (const text of sessions.get(sessionId).said) {
      say(sessionId, text, 'user_message_chunk');
      say(sessionId, 'hello');
    }
    return fault === 'null from load' ? null : {};
  },
  'session/resume': ({ sessionId }) => {
    if (fault === 'no resume') throw new Error('resume');
    if (fault === 'a resume with history') say(sessionId, 'old', 'user_message_chunk');
    return {};
  },
  'session/list': ({ cwd }) => {
    if (fault === 'a list of nothing') return {};
    const all = [...sessions].map(([sessionId, session]) => ({ sessionId, cwd: session.cwd }));
    const here = all.filter((each) => cwd === undefined || each.cwd === cwd);
    return { sessions: fault === 'a list of everything' ? all : here };
  },
  'session/delete': ({ sessionId }) => {
    if (fault === 'a delete once' && !sessions.has(sessionId)) throw new Error('gone');
    if (fault !== 'a delete that keeps') sessions.delete(sessionId);
    return {};
  },
  'session/close': ({ sessionId }) => {
    if (fault === 'no close') throw new Error('close');
    if (fault !== 'a close that waits') sessions.get(sessionId)?.cancel?.();
    return {};
  },
  'session/set_mode': ({ sessionId, modeId }) => {
    const field = fault === 'a mode by another name' ? 'modeId' : 'currentModeId';
    update(sessionId, { sessionUpdate: 'current_mode_update', [field]: modeId });
    return {};
  },
  'session/set_config_option': ({ value }) => {
    tone = value;
    return { configOptions: fault === 'half the options' ? [] : options() };
  },
  'session/prompt': ({ sessionId, prompt }) => {
    const session = sessions.get(sessionId);
    if (session === undefined || !Array.isArray(prompt)) throw new Error('session');
    const text = prompt.find(({ type }) => type === 'text')?.text ?? '';
    const other = prompt.find(({ type }) => type !== 'text')?.type;
    if (fault === `no ${other}`) throw new Error('block');
    session.said.push(text);
    if (fault === 'updates of another session') say('another', 'x');
    if (fault === 'an unknown update') update(sessionId, { sessionUpdate: 'x_update', x: 1 });
    if (fault === 'a kind of its own') {
      update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 't', title: 't', kind: 'dance' });
    }
    if (fault === 'talk on standard output') process.stdout.write('thinking…\n');
    if (fault === 'other bytes') process.stdout.write(notUtf8);
    if (fault === 'files') write({ id: 'f', method: 'fs/read_text_file', params: { sessionId, path: '/x' } });
    if (fault === 'terminals') {
      write({ id: 't', method: 'terminal/create', params: { sessionId, command: 'x' } });
    }
    if (fault === 'elicitations') {
      const form = { type: 'object', properties: {} };
      const params = { sessionId, mode: 'form', message: 'x', requestedSchema: form };
      write({ id: 'e', method: 'elicitation/create', params });
    }
    if (fault === 'a flood') return flood(sessionId);
    say(sessionId, 'hello');
    if (!text.includes('long')) {
      return { stopReason: fault === 'a reason of its own' ? 'done' : 'end_turn' };
    }
    return new Promise((resolve, reject) => {
      session.cancel = () => {
        if (fault === 'an error at cancel') return reject(new Error('aborted'));
        if (fault === 'no word of the cancel') return resolve({ stopReason: 'end_turn' });
        resolve({ stopReason: 'cancelled' });
        if (fault === 'an update too late') setTimeout(() => say(sessionId, 'late'), 20);
      };
      if (fault === 'a close that waits') setTimeout(() => resolve({ stopReason: 'end_turn' }), 50);
    });
  },
};

/** More than any client keeps. */
function flood(sessionId) {
  for (let index = 0; index < 100; index++) say(sessionId, 'x'.repeat(1024 * 1024));
  return new Promise(() => undefined);
}

async function receive(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return write({ id: null, error: { code: -32700, message: 'Parse error' } });
  }
  const { id, method, params } = message;
  if (id === undefined) {
    if (method === 'session/cancel') sessions.get(params.sessionId)?.cancel?.();
    if (fault === 'answers to notifications') write({ id: null, result: {} });
    return undefined;
  }
  if (method === undefined) return undefined;
  if (typeof method !== 'string') return refuse(id, -32600, 'Invalid request');
  if (methods[method] === undefined) {
    if (fault === 'silence') return undefined;
    if (fault === 'an exit at an error') process.exit(3);
    return refuse(id, codes[fault] ?? -32601, 'Method not found');
  }
  if (method === 'initialize' && fault === 'no initialize') return refuse(id, -32603, 'no');
  try {
    return answer(id, await methods[method](params));
  } catch (error) {
    return refuse(id, error.code ?? -32602, error.message);
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => void receive(line))
  .on('close', () => {
    if (fault !== 'no end') process.exit(0);
    setInterval(() => undefined, 1000);
  });

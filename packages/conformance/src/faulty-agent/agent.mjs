// An agent on raw JSON lines that knows nothing of our libraries and does everything right. A fault takes the place of
// parts of it. It repeats its prompt, and a prompt "wait" waits for its cancel.
import { createInterface } from 'node:readline';

/**
 * A message of the client, taken as it comes.
 *
 * @typedef {object} Message
 * @property {any} [id]
 * @property {string} [method]
 * @property {any} [params]
 * @property {any} [result]
 * @property {any} [error]
 */

/**
 * What an agent can do, right or wrong.
 *
 * @typedef {object} Agent
 * @property {(text: string) => unknown} write Writes text as it is.
 * @property {(message: Message) => void} send
 * @property {(sessionId: string, update: object) => void} update
 * @property {(sessionId: string, value: unknown) => void} say As a message chunk.
 * @property {(method: string, params: unknown, id?: string) => Promise<Message>} request Asks the client. The answer
 *   has a `result` or an `error`.
 * @property {(sessionId: string, method: string, params: object) => Promise<void>} ask Asks, and says what came of it.
 * @property {(sessionId: string) => Promise<void>} untilCancelled Settles when the turn is cancelled.
 * @property {(message: Message) => unknown} answer Does what is right for a message.
 */

/**
 * What a fault puts in the place of what is right.
 *
 * @typedef {object} Fault
 * @property {string} what One sentence: what the agent does wrong.
 * @property {(agent: Agent) => unknown} [start] Before anything is read.
 * @property {(agent: Agent, sessionId: string) => unknown} [turn] In the first turn, before its answer.
 * @property {(agent: Agent, sessionId: string) => unknown} [after] Behind the answer of the first turn.
 * @property {Readonly<Record<string, Handler>>} [on] Instead of what is right for a method.
 * @property {(text: string) => unknown} [write] How a line leaves.
 * @property {() => void} [end] At the end of its input.
 */

/** @typedef {(agent: Agent, message: Message) => unknown} Handler */

/** @typedef {Readonly<Record<string, Fault>>} Faults */

/** What is right to answer to `initialize`. */
export const introduction = {
  protocolVersion: 1,
  agentInfo: { name: 'faulty', version: '1.0.0' },
  agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } },
  authMethods: [{ id: 'login', name: 'Log in', description: 'run faulty login' }],
};

/** @param {Fault} fault */
export function startAgent(fault) {
  /** @type {Map<unknown, (answer: Message) => void>} */
  const pending = new Map();
  /** @type {Map<string, () => void>} */
  const cancels = new Map();
  let lastId = 0;
  let sessions = 0;
  let turns = 0;

  /** @type {Agent} */
  const agent = {
    write: fault.write ?? ((text) => process.stdout.write(text)),
    send: (message) => void agent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    update: (sessionId, update) => agent.send({ method: 'session/update', params: { sessionId, update } }),
    say(sessionId, value) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      agent.update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    },
    request(method, params, id = `agent-${++lastId}`) {
      return new Promise((resolve) => {
        pending.set(id, resolve);
        agent.send({ id, method, params });
      });
    },
    async ask(sessionId, method, params) {
      agent.say(sessionId, await agent.request(method, { sessionId, ...params }));
    },
    untilCancelled: (sessionId) => new Promise((resolve) => cancels.set(sessionId, resolve)),
    answer: (message) => right[message.method ?? '']?.(agent, message),
  };

  /** @type {Readonly<Record<string, Handler>>} */
  const right = {
    initialize: (_, { id }) => agent.send({ id, result: introduction }),
    authenticate: (_, { id }) => agent.send({ id, result: {} }),
    'session/new': (_, { id }) => agent.send({ id, result: { sessionId: `session-${++sessions}` } }),
    'session/load': (_, { id, params }) => {
      agent.say(params.sessionId, 'replayed');
      agent.send({ id, result: {} });
    },
    'session/list': (_, { id }) => agent.send({ id, result: { sessions: [] } }),
    'session/close': (_, { id }) => agent.send({ id, result: {} }),
    'session/prompt': async (_, { id, params: { sessionId, prompt } }) => {
      const [{ text = '' }] = prompt;
      turns += 1;
      const isFirst = turns === 1;
      agent.say(sessionId, text);
      const isCancelled = text.startsWith('wait') && agent.untilCancelled(sessionId).then(() => true);
      if (isFirst) await fault.turn?.(agent, sessionId);
      agent.send({ id, result: { stopReason: (await isCancelled) ? 'cancelled' : 'end_turn' } });
      if (isFirst) await fault.after?.(agent, sessionId);
    },
    'session/cancel': (_, { params }) => cancels.get(params.sessionId)?.(),
  };

  /** @param {string} line */
  function receive(line) {
    /** @type {Message} */
    const message = JSON.parse(line);
    const { id, method } = message;
    if (method === undefined) {
      pending.get(id)?.('error' in message ? { error: message.error } : { result: message.result });
      pending.delete(id);
      return;
    }
    const handler = fault.on?.[method] ?? right[method];
    if (handler !== undefined) void handler(agent, message);
    else if (id !== undefined) agent.send({ id, error: { code: -32601, message: 'Method not found' } });
  }

  fault.start?.(agent);
  createInterface({ input: process.stdin })
    .on('line', receive)
    .on('close', fault.end ?? (() => process.exit(0)));
}

// What an agent asks of its client and should not, or not in this way. What it is answered it says in message chunks.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const yes = { optionId: 'yes', name: 'Yes', kind: 'allow_once' };
const no = { optionId: 'no', name: 'No', kind: 'reject_once' };

/**
 * What was asked too early, and is said in the first turn.
 *
 * @type {Promise<object> | undefined}
 */
let early;

/** @typedef {(agent: import('./agent.mjs').Agent, sessionId: string) => Promise<void>} Turn */

/**
 * Asks for permission to edit in the first turn.
 *
 * @type {(options: readonly object[]) => Turn}
 */
const offering = (options) => (agent, sessionId) =>
  agent.ask(sessionId, 'session/request_permission', {
    toolCall: { toolCallId: 'a', kind: 'edit' },
    options,
  });

/**
 * Asks for something in the first turn.
 *
 * @type {(method: string, params: object) => Turn}
 */
const asking = (method, params) => (agent, sessionId) => agent.ask(sessionId, method, params);

/** @type {import('./agent.mjs').Faults} */
export const requests = {
  'unknown-request': {
    what: 'It asks for what is not in the protocol.',
    turn: asking('terminal/resize', { columns: 80 }),
  },
  'unknown-extension': {
    what: 'It calls an extension that was not offered.',
    turn: asking('_vendor/run_shell_command', { command: 'true' }),
  },
  'request-before-initialize': {
    what: 'It asks before it has answered initialize.',
    on: {
      initialize: (agent, message) => {
        early = agent.request('fs/read_text_file', { sessionId: 'session-1', path: '/etc/passwd' });
        agent.answer(message);
      },
    },
    turn: async (agent, sessionId) => agent.say(sessionId, await early),
  },
  'request-of-unknown-session': {
    what: 'It asks in a session that was never opened.',
    turn: async (agent, sessionId) => {
      const toolCall = { toolCallId: 'a', kind: 'read' };
      const params = { sessionId: 'ghost', toolCall, options: [yes, no] };
      agent.say(sessionId, await agent.request('session/request_permission', params));
    },
  },
  'request-between-turns': {
    what: 'It asks for permission when no turn runs.',
    on: {
      'session/new': (agent, message) => {
        agent.answer(message);
        const toolCall = { toolCallId: 'a', kind: 'edit' };
        const params = { sessionId: 'session-1', toolCall, options: [yes, no] };
        early = agent.request('session/request_permission', params);
      },
    },
    turn: async (agent, sessionId) => agent.say(sessionId, await early),
  },
  'params-as-list': {
    what: 'The params of its request are a list.',
    turn: async (agent, sessionId) =>
      agent.say(sessionId, await agent.request('fs/read_text_file', [sessionId, '/etc/hostname'])),
  },
  'request-without-params': {
    what: 'Its request has no params.',
    turn: async (agent, sessionId) =>
      agent.say(sessionId, await agent.request('session/request_permission', undefined)),
  },
  'same-id-twice': {
    what: 'Two of its requests have the same id at the same time.',
    turn: async (agent, sessionId) => {
      const toolCall = { toolCallId: 'a', kind: 'read' };
      const params = { sessionId, toolCall, options: [yes, no] };
      const first = agent.request('session/request_permission', params, 'same');
      agent.send({ id: 'same', method: 'session/request_permission', params });
      agent.say(sessionId, await first);
    },
  },
  'cancels-its-request': {
    what: 'It asks a question, and does not want the answer any more.',
    turn: async (agent, sessionId) => {
      const params = { sessionId, toolCall: { toolCallId: 'a', kind: 'edit' }, options: [yes, no] };
      const answer = agent.request('session/request_permission', params, 'q');
      agent.send({ method: '$/cancel_request', params: { requestId: 'q' } });
      agent.say(sessionId, await answer);
    },
  },
  'reads-outside': {
    what: 'It reads a file outside of the session.',
    turn: asking('fs/read_text_file', { path: '/etc/passwd' }),
  },
  'reads-missing': {
    what: 'It reads a file that is not there.',
    turn: (agent, sessionId) =>
      agent.ask(sessionId, 'fs/read_text_file', { path: join(process.cwd(), 'missing') }),
  },
  'reads-relative': {
    what: 'It reads a file by a relative path.',
    turn: asking('fs/read_text_file', { path: 'file' }),
  },
  'reads-huge': {
    what: 'It makes a file of 33 MiB, and reads it.',
    turn: (agent, sessionId) => {
      const path = join(process.cwd(), 'huge');
      writeFileSync(path, Buffer.alloc(33 * 1024 * 1024, 'x'));
      return agent.ask(sessionId, 'fs/read_text_file', { path });
    },
  },
  'reads-pipe': {
    what: 'It makes a named pipe without a writer, and reads it.',
    turn: (agent, sessionId) => {
      const path = join(process.cwd(), 'pipe');
      execFileSync('mkfifo', [path]);
      return agent.ask(sessionId, 'fs/read_text_file', { path });
    },
  },
  'writes-outside': {
    what: 'It writes a file outside of the session.',
    turn: asking('fs/write_text_file', { path: '/etc/parley-was-here', content: 'x' }),
  },
  'writes-relative': {
    what: 'It writes a file by a relative path.',
    turn: asking('fs/write_text_file', { path: 'file', content: 'x' }),
  },
  'terminal-outside': {
    what: 'It starts a command outside of the session.',
    turn: asking('terminal/create', { command: 'pwd', cwd: '/etc' }),
  },
  'terminals-not-released': {
    what: 'It starts 3 commands that do not end, and releases none.',
    turn: async (agent, sessionId) => {
      agent.say(sessionId, `${await startTerminals(agent, sessionId, 3)} started`);
    },
  },
  'terminals-without-end': {
    what: 'It starts 70 commands that do not end.',
    turn: async (agent, sessionId) => {
      agent.say(sessionId, `${await startTerminals(agent, sessionId, 70)} started`);
    },
  },
  'unknown-terminal': {
    what: 'It asks for the output of a terminal that is not there.',
    turn: asking('terminal/output', { terminalId: 'ghost' }),
  },
  'permission-without-options': {
    what: 'A permission has no options.',
    turn: offering([]),
  },
  'permission-of-equal-kinds': {
    what: 'A permission has options of the same kind.',
    turn: offering([no, { ...no, optionId: 'never' }, { ...yes, optionId: 'file' }, yes]),
  },
  'permission-of-equal-ids': {
    what: 'A permission has options of the same id: one allows, one rejects.',
    turn: offering([yes, { ...no, optionId: 'yes' }]),
  },
  'permission-of-unknown-kinds': {
    what: 'The options of a permission request are of unknown kinds.',
    turn: offering([
      { ...yes, kind: 'allow_sometimes' },
      { ...no, kind: 'reject_softly' },
    ]),
  },
  'permission-of-nothing': {
    what: 'A permission does not say for what.',
    turn: (agent, sessionId) =>
      agent.ask(sessionId, 'session/request_permission', { toolCall: {}, options: [yes] }),
  },
  'flood-of-permissions': {
    what: 'It asks 3,000 questions at once.',
    turn: async (agent, sessionId) => {
      const params = { sessionId, toolCall: { toolCallId: 'a', kind: 'edit' }, options: [yes, no] };
      const questions = Array.from({ length: 3000 }, () =>
        agent.request('session/request_permission', params),
      );
      const answered = await Promise.all(questions);
      const allowed = answered.filter(({ result }) => result?.outcome.optionId === 'yes');
      agent.say(sessionId, `${answered.length} answered, ${allowed.length} allowed`);
    },
  },
  'elicitation-of-unknown-mode': {
    what: 'An elicitation is of an unknown mode.',
    turn: asking('elicitation/create', { mode: 'telepathy', message: 'Well?' }),
  },
};

/**
 * Starts commands that do not end, one after the other. Returns how many it was given.
 *
 * @param {import('./agent.mjs').Agent} agent
 * @param {string} sessionId
 * @param {number} count
 */
async function startTerminals(agent, sessionId, count) {
  let started = 0;
  for (let index = 0; index < count; index++) {
    // The words of its own command line: who started them shows.
    const params = { sessionId, command: 'sh', args: ['-c', 'sleep 3600', ...process.argv.slice(2)] };
    const { result } = await agent.request('terminal/create', params);
    if (result !== undefined) started += 1;
  }
  return started;
}

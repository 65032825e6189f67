// How an agent ends when it should not, or does not end when it should; and what it never answers.
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';

/**
 * Exits at a method, which is not answered.
 *
 * @param {string} method
 * @param {number} status
 */
const exitAt = (method, status) => ({ [method]: () => process.exit(status) });

/**
 * Never answers a method.
 *
 * @param {string} method
 */
const silentAt = (method) => ({ [method]: () => {} });

/** Stays although nothing is left to do. */
const stay = () => setInterval(() => {}, 1000);

/**
 * A child that lives on its own, and holds the pipes open. It has the arguments of its parent: who started it shows.
 *
 * @param {string} script
 * @param {object} [options]
 */
function startChild(script, options = {}) {
  const args = ['-e', script, ...process.argv.slice(2)];
  spawn(process.execPath, args, { stdio: 'inherit', ...options }).unref();
}

/** @type {import('./agent.mjs').Faults} */
export const endings = {
  'exit-at-start': {
    what: 'It exits with status 3 before it reads anything.',
    start: () => {
      process.stderr.write('no key\nset KEY\n');
      process.exit(3);
    },
  },
  'exit-in-initialize': { what: 'It exits with status 3 at initialize.', on: exitAt('initialize', 3) },
  'exit-in-new': { what: 'It exits with status 3 at session/new.', on: exitAt('session/new', 3) },
  'exit-in-load': { what: 'It exits with status 3 at session/load.', on: exitAt('session/load', 3) },
  'exit-in-prompt': { what: 'It exits with status 3 in a turn.', turn: () => process.exit(3) },
  'exit-in-close': { what: 'It exits with status 3 at session/close.', on: exitAt('session/close', 3) },
  'exit-at-cancel': { what: 'It exits with status 3 at session/cancel.', on: exitAt('session/cancel', 3) },
  'exit-0-in-initialize': { what: 'It exits with status 0 at initialize.', on: exitAt('initialize', 0) },
  'exit-0-in-new': { what: 'It exits with status 0 at session/new.', on: exitAt('session/new', 0) },
  'exit-0-in-prompt': { what: 'It exits with status 0 in a turn.', turn: () => process.exit(0) },
  'exit-between-turns': { what: 'It exits when a turn has ended.', after: () => process.exit(0) },
  'exit-while-asking': {
    what: 'It exits while its question waits for an answer.',
    turn: (agent, sessionId) => {
      const toolCall = { toolCallId: 'a', title: 'Write', kind: 'edit' };
      const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
      agent.send({ id: 'p', method: 'session/request_permission', params: { sessionId, toolCall, options } });
      process.exit(3);
    },
  },
  crash: { what: 'A signal ends it in a turn.', turn: () => void process.kill(process.pid, 'SIGKILL') },
  'closed-stdout': {
    what: 'It closes its output in a turn, and stays.',
    turn: () => {
      stay();
      process.stdout.end();
      return new Promise(() => {});
    },
  },
  'closed-stdin': {
    what: 'It closes its input in a turn, and stays.',
    turn: () => {
      stay();
      process.stdin.destroy();
      // Node itself leaves the descriptor open.
      closeSync(0);
    },
    end: () => {},
  },
  'stops-reading': {
    what: 'It reads nothing any more once a session is open.',
    on: {
      'session/new': (agent, message) => {
        agent.answer(message);
        stay();
        process.stdin.pause();
      },
    },
  },
  'silent-initialize': { what: 'It never answers initialize.', on: silentAt('initialize') },
  'silent-new': { what: 'It never answers session/new.', on: silentAt('session/new') },
  'silent-load': { what: 'It never answers session/load.', on: silentAt('session/load') },
  'silent-prompt': { what: 'It never answers a prompt.', on: silentAt('session/prompt') },
  'silent-cancel': {
    what: 'It does not care for session/cancel.',
    turn: () => new Promise(() => {}),
    on: silentAt('session/cancel'),
  },
  'silent-close': { what: 'It never answers session/close.', on: silentAt('session/close') },
  'busy-loop': {
    what: 'It computes without end, and hears nothing.',
    turn: () => {
      for (;;);
    },
  },
  'error-at-cancel': {
    what: 'A cancelled prompt is answered with an error.',
    on: {
      'session/prompt': async (agent, { id, params: { sessionId } }) => {
        agent.say(sessionId, 'wait');
        await agent.untilCancelled(sessionId);
        agent.send({ id, error: { code: -32603, message: 'aborted' } });
      },
    },
  },
  'end-turn-at-cancel': {
    what: 'A cancelled prompt is answered as if nothing had been.',
    on: {
      'session/prompt': async (agent, { id, params: { sessionId } }) => {
        agent.say(sessionId, 'wait');
        await agent.untilCancelled(sessionId);
        agent.send({ id, result: { stopReason: 'end_turn' } });
      },
    },
  },
  'stays-at-end': { what: 'It stays when its input ends.', end: stay },
  'ignores-term': {
    what: 'It stays when its input ends, and at SIGTERM.',
    start: () => process.on('SIGTERM', () => {}),
    end: stay,
  },
  'child-holds-pipes': {
    what: 'It exits in a turn, and a child of its holds the pipes open.',
    turn: () => {
      startChild('setInterval(() => {}, 1000)');
      process.exit(0);
    },
  },
  'escaped-child-holds-pipes': {
    what: 'It exits in a turn, and a child in a session of its own holds the pipes for 3 seconds.',
    turn: () => {
      startChild('setTimeout(() => {}, 3000)', { detached: true });
      process.exit(0);
    },
  },
};

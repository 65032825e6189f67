// An agent that does what its first argument says, as raw lines: no library of ours, so that what the command is
// tested against is the protocol and not our own idea of it. The script is JSON:
//
//   initialize   merged into the answer to `initialize`
//   early        raw text that is written before the answer to `session/new`
//   log          what is written to standard error at the start
//   session      merged into the answer to `session/new`
//   errors       { METHOD: { code, message, data } }: what these methods are refused with
//   silent       [METHOD]: these methods are never answered
//   sessions     the answer to `session/list`
//   replay       updates that `session/load` sends before its answer
//   prompt       the steps of a turn, see `step`
//   stopReason   how the turn ends; `end_turn`
//   received     the file that what it receives goes to, line by line; the variable SCRIPTED_LOG names one, too
//
//   deaf         true: a cancelled turn goes on, the end of the input and TERM are ignored
//   lingers      true: the end of the input and TERM are ignored
//   locked       { methods, file, variable }: these methods are refused until the user is signed in, by `authenticate`, by
//                the word "open" typed to `scripted.mjs SCRIPT login`, which makes the file, or by the variable
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';

/** @type {Fields} */
const script = JSON.parse(process.argv[2] ?? '{}');
/** The session that was opened last. */
let sessionId = 'scripted-1';
let sessions = 0;
/** @typedef {Record<string, any>} Fields What JSON holds. */

/** @type {Map<string, (answer: Fields) => void>} */
const asked = new Map();
let lastId = 0;
/** `terminalId` in a script means the terminal that was created last. */
let lastTerminal = '';
/** @type {(what: 'cancelled') => void} */
let cancelled = () => {};
/** @type {Promise<'cancelled'>} */
const cancel = new Promise((resolve) => {
  cancelled = resolve;
});

if (process.argv[3] === 'login') {
  process.stdout.write(`the word${process.env.LOGIN_HINT ?? ''}? `);
  createInterface({ input: process.stdin }).once('line', (word) => {
    if (word === 'open') writeFileSync(script.locked.file, '');
    process.exit(word === 'open' ? 0 : 1);
  });
}

let isAuthenticated = false;
/** @param {string} method */
function isLocked(method) {
  const { methods = [], file, variable } = script.locked ?? {};
  if (!methods.includes(method) || isAuthenticated) return false;
  return !(file && existsSync(file)) && !(variable && process.env[variable]);
}

if (script.deaf || script.lingers) process.on('SIGTERM', () => {});
if (script.log !== undefined) process.stderr.write(script.log);

/** @param {Fields} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @param {Fields} fields */
function update(fields) {
  send({ method: 'session/update', params: { sessionId, update: fields } });
}

/** @param {string} text */
function say(text) {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}

/**
 * @param {string} method
 * @param {Fields} params
 * @returns {Promise<Fields>}
 */
function ask(method, params) {
  lastId += 1;
  const id = `agent-${lastId}`;
  send({ id, method, params: { sessionId, ...params } });
  return new Promise((resolve) => {
    asked.set(id, resolve);
  });
}

/**
 * Runs a shell line of its own, without the client.
 *
 * @param {string} line
 */
function run(line) {
  const { status, stdout } = spawnSync('/bin/sh', ['-c', `${line} 2>&1`], { encoding: 'utf8' });
  return { status, output: stdout.trim() };
}

/**
 * One step of a turn. What the client answers is said, so that a test can read it.
 *
 * @param {Fields} what
 * @returns {Promise<'next' | 'cancelled'>}
 */
async function step(what) {
  if (what.update) update(what.update);
  if (what.say !== undefined) say(what.say);
  if (what.sayVariable !== undefined) say(`it is ${process.env[what.sayVariable]}\n`);
  if (what.write !== undefined) process.stdout.write(what.write);
  if (what.stderr !== undefined) process.stderr.write(what.stderr);
  if (what.ask) {
    const { terminalId, ...params } = what.ask.params;
    const { result, error } = await ask(what.ask.method, {
      ...params,
      ...(terminalId && { terminalId: lastTerminal }),
    });
    lastTerminal = result?.terminalId ?? lastTerminal;
    say(`${what.ask.method}: ${JSON.stringify(result ?? error)}\n`);
  }
  if (what.shell !== undefined) say(`shell: ${JSON.stringify(run(what.shell))}\n`);
  if (what.exit !== undefined) process.exit(what.exit);
  if (what.untilFile) {
    while (!existsSync(what.untilFile)) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (what.untilTime) await new Promise((resolve) => setTimeout(resolve, what.untilTime - Date.now()));
  if (what.until === 'cancel') return cancel;
  if (what.until === 'never') return new Promise(() => {});
  return 'next';
}

async function prompt() {
  for (const what of script.prompt ?? []) {
    if ((await step(what)) === 'cancelled' && !script.deaf) return { stopReason: 'cancelled' };
  }
  return { stopReason: script.stopReason ?? 'end_turn', usage: script.usage };
}

/** @param {Fields} message */
async function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: 1,
        agentInfo: { name: 'scripted', version: '1.2.3' },
        agentCapabilities: {},
        ...script.initialize,
      };
    case 'session/new':
      sessions += 1;
      sessionId = `scripted-${sessions}`;
      if (script.early !== undefined) process.stdout.write(script.early);
      return { sessionId, ...script.session };
    case 'session/load':
      for (const fields of script.replay ?? []) update(fields);
      return { ...script.session };
    case 'session/resume':
      return { ...script.session };
    case 'session/list':
      return { sessions: script.sessions ?? [] };
    case 'authenticate':
      if (script.authentication) for (const what of script.authentication) await step(what);
      isAuthenticated = true;
      return {};
    case 'logout':
      isAuthenticated = false;
      return {};
    case 'session/set_mode':
    case '_agentao.cn/set_model':
    case 'session/set_model':
      return {};
    case 'session/set_config_option':
      return {
        configOptions: script.session.configOptions.map((/** @type {Fields} */ option) =>
          option.id === params.configId ? { ...option, currentValue: params.value } : option,
        ),
      };
    case 'session/prompt':
      return prompt();
    default:
      return undefined;
  }
}

/** @param {Fields} message */
async function serve(message) {
  const error = isLocked(message.method)
    ? { code: -32000, message: 'Authentication required' }
    : script.errors?.[message.method];
  const result = error === undefined ? await answer(message) : undefined;
  if (result !== undefined) send({ id: message.id, result });
  else send({ id: message.id, error: error ?? { code: -32601, message: 'Method not found' } });
}

const received = script.received ?? process.env.SCRIPTED_LOG;
const lines = createInterface({ input: process.argv[3] === 'login' ? new PassThrough() : process.stdin });
lines.on('line', (line) => {
  if (received) appendFileSync(received, `${line}\n`);
  /** @type {Fields} */
  const message = JSON.parse(line);
  if (message.method === undefined) asked.get(message.id)?.(message);
  if (message.method === 'session/cancel') cancelled('cancelled');
  if (message.method === undefined || message.id === undefined || script.silent?.includes(message.method)) {
    return;
  }
  void serve(message);
});
lines.on('close', () => {
  if (script.deaf || script.lingers) setInterval(() => {}, 1000);
  else process.exit(0);
});

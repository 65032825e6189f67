import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import type { ExitStatus } from '@parley/workspace';
import type { AgentProgram, RunningProgram } from '../checked-agent.ts';
import { listAt } from '../json-value.ts';

/** An error that is sent as the response to a request. */
export class Refusal extends Error {
  readonly code: unknown;

  constructor(code: unknown, message = 'refused') {
    super(message);
    this.code = code;
  }
}

interface Session {
  readonly cwd: unknown;
  readonly said: string[];
  tone: unknown;
  cancel?: () => void;
  isClosed: boolean;
}

/** The result of a request; rejects with a `Refusal` for an error. */
export type Method = (params: JsonObject) => unknown;

/**
 * An agent in this process without defects, of which a defect replaces parts. It has no model: a prompt with "sleep"
 * runs until it is cancelled, one with "tools" uses tools, any other gets a greeting.
 */
export class SeededAgent {
  readonly sessions = new Map<unknown, Session>();
  readonly #pending = new Map<unknown, (response: JsonObject) => void>();
  readonly output = new PassThrough();
  readonly input = new PassThrough();
  readonly closed: Promise<ExitStatus>;
  client: unknown = {};
  isInitialized = false;
  #exit: (status: ExitStatus) => void = () => undefined;
  #lastSession = 0;
  #lastRequest = 0;
  #hasExited = false;

  constructor() {
    this.closed = new Promise((resolve) => {
      this.#exit = resolve;
    });
    createInterface({ input: this.input })
      .on('line', (line) => void this.receive(line))
      .on('close', () => this.inputEnded());
  }

  inputEnded(): void {
    this.exit(0);
  }

  exit(exitCode: number | null, signal: string | null = null): void {
    if (this.#hasExited) return;
    this.#hasExited = true;
    this.output.end();
    const done = (): void => this.#exit({ exitCode, signal });
    if (this.output.readableEnded) done();
    else this.output.once('end', done);
  }

  writeText(text: string | Uint8Array): void {
    if (!this.#hasExited) this.output.write(text);
  }

  write(message: JsonObject): void {
    this.writeText(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  update(sessionId: unknown, update: JsonObject): void {
    this.write({ method: 'session/update', params: { sessionId, update } });
  }

  say(sessionId: unknown, text: string, sessionUpdate = 'agent_message_chunk'): void {
    this.update(sessionId, { sessionUpdate, content: { type: 'text', text } });
  }

  /** Sends a request to the client and returns its response. */
  request(method: string, params: JsonObject): Promise<JsonObject> {
    this.#lastRequest += 1;
    const id = this.nextId(this.#lastRequest);
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.write({ id, method, params });
    });
  }

  nextId(count: number): unknown {
    return `agent-${String(count)}`;
  }

  answer(id: unknown, result: unknown): void {
    this.write({ id, result });
  }

  refuse(id: unknown, code: unknown, message: string): void {
    this.write({ id, error: { code, message } });
  }

  unparsable(): void {
    this.refuse(null, -32_700, 'Parse error');
  }

  unknownMethod(id: unknown): void {
    this.refuse(id, -32_601, 'Method not found');
  }

  notified(method: unknown, params: unknown): void {
    if (method === 'session/cancel') this.cancel(valueAt(params, 'sessionId'));
  }

  cancel(sessionId: unknown): void {
    this.sessions.get(sessionId)?.cancel?.();
  }

  async receive(line: string): Promise<void> {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.unparsable();
      return;
    }
    if (!isJsonObject(message)) return;
    const { id, method, params } = message;
    if (id === undefined) {
      this.notified(method, params);
    } else if (method === undefined) {
      this.#pending.get(id)?.(message);
    } else if (typeof method !== 'string') {
      this.refuse(id, -32_600, 'Invalid request');
    } else {
      await this.call(id, method, isJsonObject(params) ? params : {});
    }
  }

  async call(id: unknown, method: string, params: JsonObject): Promise<void> {
    const run = this.methods[method];
    if (run === undefined) {
      this.unknownMethod(id);
      return;
    }
    try {
      if (!this.isInitialized && method !== 'initialize') throw new Refusal(-32_600, 'not initialized');
      this.answer(id, await run(params));
    } catch (error) {
      const code = error instanceof Refusal ? error.code : -32_603;
      this.refuse(id, code, error instanceof Error ? error.message : '');
    }
  }

  session(params: JsonObject): Session {
    const session = this.sessions.get(params['sessionId']);
    if (session === undefined || session.isClosed) throw new Refusal(-32_002, 'unknown session');
    return session;
  }

  options(tone: unknown): readonly JsonObject[] {
    const values = ['plain', 'warm'].map((value) => ({ value, name: value }));
    return [
      { id: 'tone', name: 'Tone', type: 'select', currentValue: tone, options: values },
      { id: 'model', name: 'Model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }] },
    ];
  }

  /** A greeting. */
  async greet(sessionId: unknown): Promise<string> {
    const availableCommands = [{ name: 'help', description: 'Help' }];
    this.update(sessionId, { sessionUpdate: 'available_commands_update', availableCommands });
    this.say(sessionId, 'hello');
    return 'end_turn';
  }

  /** A turn with a sub-agent, for a client that knows these. */
  async delegate(sessionId: unknown): Promise<string> {
    if (valueAt(this.client, 'subagents') === undefined) return this.greet(sessionId);
    const child = { sessionUpdate: 'subagent_update', sessionId: 'child' };
    this.update(sessionId, { ...child, title: 'Lister', state: { state: 'running' } });
    const between = { senderSessionId: sessionId, recipientSessionId: 'child' };
    this.update('child', { sessionUpdate: 'session_message', messageId: 'm1', ...between });
    this.say('child', 'listed');
    this.update(sessionId, { ...child, state: { state: 'idle', stopReason: 'end_turn' } });
    const content = [{ type: 'session', sessionId: 'child' }];
    const call = { sessionUpdate: 'tool_call', toolCallId: 'call-2', title: 'Delegate' };
    this.update(sessionId, { ...call, kind: 'other', status: 'completed', content });
    return 'end_turn';
  }

  /** A turn that runs until it is cancelled. */
  async wait(sessionId: unknown, session: Session): Promise<string> {
    this.say(sessionId, 'working');
    await new Promise<void>((resolve) => {
      session.cancel = resolve;
    });
    delete session.cancel;
    return 'cancelled';
  }

  /** A turn with a tool call that needs a permission, and with the client's files and terminals. */
  async work(sessionId: unknown, { cwd }: Session): Promise<string> {
    const path = `${String(cwd)}/README.md`;
    const entry = { content: 'read', priority: 'medium', status: 'pending' };
    this.update(sessionId, { sessionUpdate: 'plan', entries: [entry] });
    const call = { toolCallId: 'call-1', title: 'echo parley-check', kind: 'execute', locations: [{ path }] };
    this.update(sessionId, { sessionUpdate: 'tool_call', ...call, status: 'pending' });
    await this.ask(sessionId, call);
    this.update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status: 'completed' });
    if (valueAt(this.client, 'fs', 'readTextFile') === true) {
      await this.request('fs/read_text_file', { sessionId, path, line: 1 });
    }
    if (valueAt(this.client, 'terminal') === true) await this.useTerminal(sessionId);
    this.say(sessionId, 'done');
    return 'end_turn';
  }

  async ask(sessionId: unknown, toolCall: JsonObject): Promise<void> {
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    await this.request('session/request_permission', { sessionId, toolCall, options });
  }

  async useTerminal(sessionId: unknown): Promise<void> {
    const { result } = await this.request('terminal/create', { sessionId, command: 'echo' });
    const terminalId = valueAt(result, 'terminalId');
    await this.request('terminal/wait_for_exit', { sessionId, terminalId });
    await this.request('terminal/output', { sessionId, terminalId });
    await this.request('terminal/release', { sessionId, terminalId });
  }

  readonly methods: Record<string, Method> = {
    initialize: ({ clientCapabilities }) => {
      this.isInitialized = true;
      this.client = clientCapabilities;
      return {
        protocolVersion: 1,
        agentInfo: { name: 'seeded', version: '1.0.0' },
        authMethods: [{ id: 'login', name: 'Log in' }],
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, audio: true, embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {}, delete: {}, close: {}, additionalDirectories: {} },
          auth: { logout: {} },
        },
      };
    },
    authenticate: ({ methodId }) => {
      if (methodId !== 'login') throw new Refusal(-32_602);
      return {};
    },
    logout: () => ({}),
    'session/new': ({ cwd, mcpServers }) => {
      if (typeof cwd !== 'string' || !cwd.startsWith('/')) throw new Refusal(-32_602, 'cwd');
      for (const server of Array.isArray(mcpServers) ? mcpServers : []) this.startServer(server);
      this.#lastSession += 1;
      const sessionId = `session-${String(this.#lastSession)}`;
      this.sessions.set(sessionId, { cwd, said: [], tone: 'plain', isClosed: false });
      const names = ['a', 'b'].map((id) => ({ id, name: id }));
      return {
        sessionId,
        configOptions: this.options('plain'),
        modes: { currentModeId: 'a', availableModes: names },
      };
    },
    'session/load': (params) => {
      const session = this.sessions.get(params['sessionId']);
      if (session === undefined) throw new Refusal(-32_002);
      for (const text of session.said) {
        this.say(params['sessionId'], text, 'user_message_chunk');
        this.say(params['sessionId'], 'hello');
      }
      return {};
    },
    'session/resume': (params) => {
      this.session(params);
      return {};
    },
    'session/list': ({ cwd, cursor }) => {
      if (cursor !== undefined) throw new Refusal(-32_602);
      const all = [...this.sessions].map(([sessionId, session]) => ({ sessionId, cwd: session.cwd }));
      return { sessions: all.filter((each) => cwd === undefined || each.cwd === cwd) };
    },
    'session/delete': ({ sessionId }) => {
      this.sessions.delete(sessionId);
      return {};
    },
    'session/close': (params) => {
      this.session(params).cancel?.();
      this.session(params).isClosed = true;
      return {};
    },
    'session/set_mode': ({ sessionId, modeId }) => {
      if (typeof modeId !== 'string') throw new Refusal(-32_602);
      this.update(sessionId, { sessionUpdate: 'current_mode_update', currentModeId: modeId });
      return {};
    },
    'session/set_config_option': (params) => {
      const { sessionId, configId, value } = params;
      const session = this.session(params);
      const option = this.options(session.tone).find(({ id }) => id === configId);
      const isOffered = listAt(option, 'options').some((each) => valueAt(each, 'value') === value);
      if (!isOffered) throw new Refusal(-32_602);
      if (configId === 'tone') session.tone = value;
      const configOptions = this.options(session.tone);
      this.update(sessionId, { sessionUpdate: 'config_option_update', configOptions });
      return { configOptions };
    },
    'session/prompt': async (params) => {
      const session = this.session(params);
      const { sessionId, prompt } = params;
      if (!Array.isArray(prompt)) throw new Refusal(-32_602);
      const text = prompt.map((block) => JSON.stringify(block)).join('');
      session.said.push(text);
      return { stopReason: await this.turn(sessionId, session, text) };
    },
  };

  turn(sessionId: unknown, session: Session, text: string): Promise<string> {
    if (text.includes('sleep')) return this.wait(sessionId, session);
    if (text.includes('sub-agent')) return this.delegate(sessionId);
    return text.includes('your tools for each') ? this.work(sessionId, session) : this.greet(sessionId);
  }

  /** Does what the server does when it is initialized. */
  startServer(server: unknown): void {
    writeFileSync(String(listAt(server, 'args').at(-1)), '');
  }
}

/** Starts agents in this process, each with the defect. */
export function seededProgram(change: (agent: SeededAgent) => void): AgentProgram {
  return {
    start: async (): Promise<RunningProgram> => {
      const agent = new SeededAgent();
      change(agent);
      return {
        stdin: agent.input,
        stdout: agent.output,
        stderr: new PassThrough().end(),
        closed: agent.closed,
        kill: () => agent.exit(null, 'SIGKILL'),
        end: async ({ inputMs }) => {
          agent.input.end();
          const timer = setTimeout(() => agent.exit(null, 'SIGTERM'), inputMs);
          await agent.closed;
          clearTimeout(timer);
        },
      };
    },
  };
}

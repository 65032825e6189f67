import type { Writable } from 'node:stream';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import { type OutputLine, OutputLines } from '../output-lines.ts';
import type { AgentStreams } from './client-program.ts';

/**
 * What the scripted agent does: an ordinary turn, or one thing that a client has to cope with. `interrupt`: the client is interrupted
 * during its turn. `stored`: the agent has stored sessions.
 */
export type Scenario = 'ordinary' | 'unsupported-version' | 'unknown-error' | 'interrupt' | 'stored';

/** What a client sent to the scripted agent. */
export interface Talk {
  readonly lines: readonly OutputLine[];
  readonly messages: readonly JsonObject[];
  /** The requests that the agent sent. */
  readonly asked: readonly JsonObject[];
  /** What the client declared. */
  readonly capabilities: unknown;
  /** Number of received messages when the agent responded to `session/load`; undefined if no session was loaded. */
  readonly loadedAfter: number | undefined;
  /** Whether the client ended by itself. */
  readonly hasEnded: boolean;
}

/** The agent of a check of a client: it plays a scenario, and stores all that it receives. */
export class ScriptedAgent {
  readonly lines: OutputLine[] = [];
  readonly messages: JsonObject[] = [];
  readonly asked: JsonObject[] = [];
  capabilities: unknown;
  /** How many messages had come when a session was loaded. */
  loadedAfter: number | undefined;
  readonly #scenario: Scenario;
  readonly #output: Writable;
  readonly #answerMs: number;
  readonly #interrupt: () => void;
  readonly #pending = new Map<unknown, () => void>();
  /** Settles when the client has cancelled its turn, or has ended. */
  readonly #cancelled: Promise<void>;
  #cancel: () => void = () => undefined;

  /** @param answerMs How long the client may take to answer a request. */
  constructor(scenario: Scenario, streams: AgentStreams, answerMs: number) {
    this.#cancelled = new Promise((resolve) => {
      this.#cancel = resolve;
    });
    this.#interrupt = streams.interrupt;
    this.#scenario = scenario;
    this.#output = streams.output;
    this.#answerMs = answerMs;
    const lines = new OutputLines();
    let bytes = 0;
    streams.input.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxInputBytes) streams.input.destroy();
      else this.#receive(lines.push(chunk));
    });
    streams.input.on('end', () => {
      this.#receive(lines.end());
      this.#cancel();
      for (const settle of this.#pending.values()) settle();
      streams.output.end();
    });
    streams.output.on('error', () => undefined);
    streams.input.on('error', () => undefined);
  }

  #receive(lines: readonly OutputLine[]): void {
    for (const line of lines) {
      this.lines.push(line);
      if (!isJsonObject(line.value)) continue;
      this.messages.push(line.value);
      const { id, method, params } = line.value;
      if (method === 'session/cancel') this.#cancel();
      if (typeof method !== 'string') this.#pending.get(id)?.();
      else if (id !== undefined) void this.#answer(id, method, params);
    }
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    switch (method) {
      case 'initialize':
        this.capabilities = valueAt(params, 'clientCapabilities');
        this.#send({
          id,
          result: { ...introduction, agentCapabilities: this.#declared, protocolVersion: this.#version },
        });
        return;
      case 'session/list':
        this.#send({ id, result: { sessions: [{ sessionId: storedId, cwd: process.cwd() }] } });
        return;
      case 'session/load':
        await this.#replay(valueAt(params, 'sessionId'));
        this.#send({ id, result: {} });
        return;
      case 'session/new':
        if (this.#scenario === 'unknown-error') {
          this.#send({ id, error: { code: -31_077, message: 'parley-check: an unknown error' } });
        } else {
          this.#send({ id, result: { sessionId } });
        }
        return;
      case 'session/prompt':
        this.#send({ id, result: { stopReason: await this.#turn(valueAt(params, 'sessionId')) } });
        return;
      default:
        this.#send({ id, error: { code: -32_601, message: 'Method not found' } });
    }
  }

  get #declared(): object {
    return this.#scenario === 'stored' ? { loadSession: true, sessionCapabilities: { list: {} } } : {};
  }

  get #version(): number {
    return this.#scenario === 'unsupported-version' ? 7777 : 1;
  }

  /** Plays the turn of the scenario. Returns its stop reason. */
  async #turn(id: unknown): Promise<string> {
    switch (this.#scenario) {
      case 'interrupt':
        return this.#interruptedTurn();
      case 'stored':
        this.#update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'next' } }, id);
        return 'end_turn';
      case 'ordinary':
      case 'unsupported-version':
      case 'unknown-error':
        await this.#ordinaryTurn();
        return 'end_turn';
    }
  }

  /** A turn that works until the client cancels it. */
  async #interruptedTurn(): Promise<string> {
    const content = { type: 'text', text: 'parley-check' };
    this.#update({ sessionUpdate: 'agent_message_chunk', content });
    this.#interrupt();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#answerMs);
    });
    await Promise.race([this.#cancelled, isLate]);
    clearTimeout(timer);
    if (!this.messages.some(({ method }) => method === 'session/cancel')) return 'end_turn';
    this.#update({ sessionUpdate: 'agent_message_chunk', content });
    const call = { toolCallId: 'late', title: 'parley-check', kind: 'other' };
    await this.#ask('late-1', 'session/request_permission', { sessionId, toolCall: call, options });
    return 'cancelled';
  }

  /** Replays a stored session. A client that does not wait for the response has the time to show it. */
  async #replay(id: unknown): Promise<void> {
    for (const text of ['replayed', 'also replayed']) {
      this.#update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, id);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, replayMs);
    });
    this.loadedAfter = this.messages.length;
  }

  async #ordinaryTurn(): Promise<void> {
    this.#send({ method: '_parley.check/event', params: { sessionId } });
    this.#send({ method: '$/parley.check', params: {} });
    const content = { type: 'text', text: 'parley-check' };
    this.#update({ sessionUpdate: 'agent_message_chunk', content });
    this.#update({ sessionUpdate: 'parley_check_unknown', any: ['thing'] });
    this.#update({ sessionUpdate: 'agent_message_chunk', content }, 'parley-check-unknown');
    this.#update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'c', kind: 'parley_check' });
    await this.#ask('unknown-1', '_parley.check/unknown', { sessionId });
    const call = { toolCallId: 'p', title: 'parley-check', kind: 'other' };
    await this.#ask(7, 'session/request_permission', { sessionId, toolCall: call, options });
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    await this.#ask(8, 'elicitation/create', {
      sessionId,
      mode: 'form',
      message: 'parley-check',
      requestedSchema,
    });
    await this.#ask('read-1', 'fs/read_text_file', { sessionId, path: '/parley-check/missing.txt' });
    await this.#useTerminal();
  }

  /** Runs a command with the client, if that offers it, and uses its terminal after it was released. */
  async #useTerminal(): Promise<void> {
    const args = ['-e', "console.log('parley-check')"];
    const created = await this.#ask('create-1', 'terminal/create', {
      sessionId,
      command: process.execPath,
      args,
    });
    const terminalId = valueAt(created, 'result', 'terminalId');
    if (typeof terminalId !== 'string') return;
    const terminal = { sessionId, terminalId };
    await this.#ask('wait-1', 'terminal/wait_for_exit', terminal);
    await this.#ask('output-1', 'terminal/output', terminal);
    await this.#ask('release-1', 'terminal/release', terminal);
    await this.#ask(releasedOutput, 'terminal/output', terminal);
  }

  #update(update: object, id: unknown = sessionId): void {
    this.#send({ method: 'session/update', params: { sessionId: id, update } });
  }

  /** Sends a request, and returns its response, unless that takes too long. */
  async #ask(id: unknown, method: string, params: object): Promise<JsonObject | undefined> {
    const request = { id, method, params };
    this.asked.push(request);
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#pending.set(id, resolve);
      timer = setTimeout(resolve, this.#answerMs);
      this.#send(request);
    });
    clearTimeout(timer);
    return this.messages.find((each) => each['method'] === undefined && each['id'] === id);
  }

  #send(message: object): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** The id of the only new session. */
export const sessionId = 'parley-check-1';

/** The id of the session that the agent lists as stored. It loads a session of any id. */
const storedId = 'parley-check-stored';

/** Time that the agent takes to load a session. */
const replayMs = 100;

/** The id of the request that uses a terminal which was released. */
export const releasedOutput = 'output-2';

/** The options of the permission request. */
export const options: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[] =
  [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];

const introduction = {
  agentInfo: { name: 'parley-check', version: '0.1.0' },
  agentCapabilities: {},
  authMethods: [],
};

/** What a client may send; one that sends more is disconnected. */
const maxInputBytes = 16 * 1024 * 1024;

import type { Readable, Writable } from 'node:stream';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import { type ExitStatus, startProcess } from '@parley/workspace';
import { CheckError, demand, type Evidence, requireOffered } from './check-error.ts';
import { leastClient, type ClientServices } from './client-services.ts';
import { shown } from './json-value.ts';
import { type OutputLine, OutputLines } from './output-lines.ts';

/** How agents under test are started. */
export interface AgentProgram {
  start(): Promise<RunningProgram>;
}

/** The streams of a program, and its end. */
export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** It has ended, and its output was read. */
  readonly closed: Promise<ExitStatus>;
  /** Closes its input, then ends it with everything it started. Never rejects. */
  end(options: { readonly inputMs: number }): Promise<unknown>;
  kill(): void;
}

/** A program that is started as a process: by its command line, in a folder to which that may be relative. */
export function processProgram(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> },
): AgentProgram {
  return { start: () => startProcess({ command, args, ...options }) };
}

/** How an agent is started, and how patient its client is. */
export interface CheckedAgentOptions {
  readonly program: AgentProgram;
  /** What is left of the limit of the current check. */
  readonly msLeft: () => number;
  /** Time that the agent has to exit after the end of its input. */
  readonly closeGraceMs: number;
  /** The responses of the client. @default rejects each permission request, and supports no other method */
  readonly services?: ClientServices;
  /** Kills the agent. @default never */
  readonly signal?: AbortSignal;
}

/** A request that was sent to the agent. */
export interface SentRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: object;
}

/** A response of the agent, unchanged. */
export interface Answer extends SentRequest {
  readonly message: JsonObject;
}

/** A running agent with a minimal client, which writes lines and stores all received messages. */
export class CheckedAgent implements AsyncDisposable {
  /** Whether it named ways to sign in: then it may refuse sessions and prompts until that was done. */
  offersSignIn = false;
  readonly #running: RunningProgram;
  readonly #options: CheckedAgentOptions;
  readonly #services: ClientServices;
  readonly #lines: OutputLine[] = [];
  readonly #messages: JsonObject[] = [];
  readonly #updates: unknown[] = [];
  /** By their ids; the first one counts. */
  readonly #answers = new Map<unknown, JsonObject>();
  readonly #sent: SentRequest[] = [];
  readonly #watchers = new Set<() => void>();
  #lastSent: unknown;
  #lastAnswer: JsonObject | undefined;
  #outputBytes = 0;
  #ended: ExitStatus | undefined;

  static async start(options: CheckedAgentOptions): Promise<CheckedAgent> {
    try {
      return new CheckedAgent(await options.program.start(), options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new CheckError('broken', message, { cause: error });
    }
  }

  private constructor(running: RunningProgram, options: CheckedAgentOptions) {
    this.#running = running;
    this.#options = options;
    this.#services = options.services ?? leastClient;
    const lines = new OutputLines();
    running.stdout.on('data', (bytes: Buffer) => {
      this.#outputBytes += bytes.length;
      if (this.#outputBytes > maxOutputBytes) running.kill();
      else this.#receive(lines.push(bytes));
    });
    running.stderr.resume();
    const kill = (): void => running.kill();
    options.signal?.addEventListener('abort', kill, { once: true });
    void running.closed.then((status) => {
      this.#receive(lines.end());
      this.#ended = status;
      options.signal?.removeEventListener('abort', kill);
      this.#notifyWatchers();
    });
  }

  /** All lines of standard output, in order. */
  get lines(): readonly OutputLine[] {
    return this.#lines;
  }

  /** The messages among them. */
  get messages(): readonly JsonObject[] {
    return this.#messages;
  }

  /** The params of each `session/update`. */
  get updates(): readonly unknown[] {
    return this.#updates;
  }

  /** All requests that were sent. */
  get sent(): readonly SentRequest[] {
    return this.#sent;
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** The last message that was sent, and the last response. */
  get evidence(): Evidence {
    return { sent: this.#lastSent, received: this.#lastAnswer };
  }

  /** The params of each `session/update` of a session. */
  updatesOf(sessionId: string): readonly unknown[] {
    return this.#updates.filter((params) => valueAt(params, 'sessionId') === sessionId);
  }

  /** The request that a message responds to. */
  requestOf({ id, method }: JsonObject): SentRequest | undefined {
    return method === undefined ? this.#sent.find((request) => request.id === id) : undefined;
  }

  writeLine(text: string): void {
    this.#lastSent = text;
    this.#write(text);
  }

  notify(method: string, params: object): void {
    this.#lastSent = { jsonrpc: '2.0', method, params };
    this.#write(JSON.stringify(this.#lastSent));
  }

  /** Sends a request and does not wait. */
  send(method: string, params: object, id: string | number = this.#sent.length): SentRequest {
    const request = { id, method, params };
    this.#sent.push(request);
    this.#lastSent = { jsonrpc: '2.0', ...request };
    this.#write(JSON.stringify(this.#lastSent));
    return request;
  }

  /** The response to a request that was sent. */
  answerTo(request: SentRequest): Promise<Answer> {
    return this.until(`a response to ${request.method}`, () => {
      const message = this.#answers.get(request.id);
      return message && { ...request, message };
    });
  }

  /** Sends a request and returns its response, a result or an error. */
  ask(method: string, params: object, id?: string | number): Promise<Answer> {
    return this.answerTo(this.send(method, params, id));
  }

  /** Sends a request and returns its result; an error is a failure of the check. */
  async request(method: string, params: object): Promise<unknown> {
    return this.toResult(await this.ask(method, params));
  }

  /** The result of a response; an error is a failure of the check, except where the user has to sign in first. */
  toResult({ method, params, message }: Answer): unknown {
    const { result, error } = message;
    const needsSignIn = this.offersSignIn && valueAt(error, 'code') === authRequired;
    requireOffered(!needsSignIn, `${method} needs a sign-in (-32000)`);
    demand(error === undefined, `${method} was answered with the error ${shown(error)}`, {
      sent: { method, params },
      received: message,
    });
    return result;
  }

  /** Waits until the search finds something in the received messages; searches again after each line. */
  async until<T>(
    what: string,
    find: () => T | undefined,
    timeoutMs: number = this.#options.msLeft(),
  ): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let watcher = (): void => undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        watcher = () => {
          const found = find();
          if (found !== undefined) resolve(found);
          else if (this.#ended !== undefined) reject(broken(`${what} did not come: ${this.#endText()}`));
        };
        timer = setTimeout(() => reject(broken(`${what} did not come within the time limit`)), timeoutMs);
        this.#watchers.add(watcher);
        watcher();
      });
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(watcher);
    }
  }

  /**
   * Closes the agent's input, and returns its exit status; undefined if it did not exit within five times its grace
   * period, because some agents are slower.
   */
  async closeInput(): Promise<ExitStatus | undefined> {
    this.#running.stdin.end();
    try {
      return await this.until('the exit', () => this.#ended, 5 * this.#options.closeGraceMs);
    } catch {
      // Not ended yet: that is the answer.
      return undefined;
    }
  }

  /** Ends the agent, by force if need be; all it wrote is then in `lines`. */
  async end(): Promise<void> {
    await this.#running.end({ inputMs: this.#options.closeGraceMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  #write(text: string): void {
    this.#running.stdin.write(`${text}\n`);
  }

  #receive(lines: readonly OutputLine[]): void {
    for (const line of lines) {
      this.#lines.push(line);
      if (isJsonObject(line.value)) this.#take(line.value);
      this.#notifyWatchers();
    }
  }

  #take(message: JsonObject): void {
    const { id, method, params } = message;
    this.#messages.push(message);
    if (method === 'session/update') this.#updates.push(params);
    if (typeof method === 'string') {
      if (id === undefined) return;
      const reply = this.#services(method, params);
      if (reply !== undefined) this.reply(id, reply);
      return;
    }
    this.#lastAnswer = message;
    if (!this.#answers.has(id)) this.#answers.set(id, message);
  }

  /** Answers a request of the agent. */
  reply(id: unknown, reply: object): void {
    this.#write(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  }

  #notifyWatchers(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #endText(): string {
    if (this.#outputBytes > maxOutputBytes) return `it wrote more than ${maxOutputBytes} bytes`;
    const { exitCode, signal } = this.#ended ?? { exitCode: null, signal: null };
    return signal === null ? `the agent exited with status ${exitCode}` : `the agent was ended by ${signal}`;
  }
}

/** The longest output of an agent that is stored; one that writes more is ended. */
const maxOutputBytes = 64 * 1024 * 1024;

export const authRequired = -32_000;

function broken(message: string): CheckError {
  return new CheckError('broken', message);
}

import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import { startProcess } from '@parley/workspace';
import type { ExitStatus, ProcessGroup } from '@parley/workspace';
import { CheckError, demand } from './check-error.ts';
import { listAt, shown } from './json-value.ts';
import { OutputLines } from './output-lines.ts';
import type { OutputLine } from './output-lines.ts';

/** How an agent is started, and how patient its client is. */
export interface AgentProcessOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** How long the agent may take to exit once its input has ended. */
  readonly closeGraceMs: number;
}

/** What was asked of the agent. */
export interface SentRequest {
  readonly id: string | number;
  readonly method: string;
}

/** An answer of the agent, as it came. */
export interface Answer extends SentRequest {
  readonly message: JsonObject;
}

/**
 * An agent in a process of its own, and the least client there is: it writes lines, keeps all that comes back, and
 * answers what it is asked with a rejection.
 */
export class AgentProcess implements AsyncDisposable {
  readonly #group: ProcessGroup;
  readonly #options: AgentProcessOptions;
  readonly #lines: OutputLine[] = [];
  readonly #messages: JsonObject[] = [];
  readonly #updates: unknown[] = [];
  /** By their ids; the first one counts. */
  readonly #answers = new Map<unknown, JsonObject>();
  readonly #sent: SentRequest[] = [];
  readonly #watchers = new Set<() => void>();
  #outputBytes = 0;
  #stderrBytes = 0;
  #ended: ExitStatus | undefined;

  static async start(options: AgentProcessOptions): Promise<AgentProcess> {
    const [command = '', ...args] = options.command;
    const { cwd, env } = options;
    try {
      return new AgentProcess(await startProcess({ command, args, cwd, env }), options);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new CheckError('broken', message, { cause: error });
    }
  }

  private constructor(group: ProcessGroup, options: AgentProcessOptions) {
    this.#group = group;
    this.#options = options;
    const lines = new OutputLines();
    group.stdout.on('data', (bytes: Buffer) => {
      this.#outputBytes += bytes.length;
      if (this.#outputBytes > maxOutputBytes) group.kill();
      else this.#receive(lines.push(bytes));
    });
    group.stderr.on('data', (bytes: Buffer) => {
      this.#stderrBytes += bytes.length;
    });
    void group.closed.then((status) => {
      this.#receive(lines.end());
      this.#ended = status;
      this.#notifyWatchers();
    });
  }

  /** All that came on standard output, in order. */
  get lines(): readonly OutputLine[] {
    return this.#lines;
  }

  /** The messages among it. */
  get messages(): readonly JsonObject[] {
    return this.#messages;
  }

  /** The params of each `session/update` that came. */
  get updates(): readonly unknown[] {
    return this.#updates;
  }

  /** All requests that were sent. */
  get sent(): readonly SentRequest[] {
    return this.#sent;
  }

  get stderrBytes(): number {
    return this.#stderrBytes;
  }

  writeLine(text: string): void {
    this.#group.stdin.write(`${text}\n`);
  }

  notify(method: string, params: object): void {
    this.writeLine(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and does not wait. */
  send(method: string, params: object, id: string | number = this.#sent.length): SentRequest {
    const request = { id, method };
    this.#sent.push(request);
    this.writeLine(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return request;
  }

  /** The answer to a request that was sent. */
  answerTo({ id, method }: SentRequest): Promise<Answer> {
    return this.until(`an answer to ${method}`, () => {
      const message = this.#answers.get(id);
      return message && { id, method, message };
    });
  }

  /** Sends a request and returns its answer, a result or an error. */
  ask(method: string, params: object, id?: string | number): Promise<Answer> {
    return this.answerTo(this.send(method, params, id));
  }

  /** Sends a request and gives its result; an error is a failure of the check. */
  async request(method: string, params: object): Promise<unknown> {
    return toResult(await this.ask(method, params));
  }

  /** Waits until something is found in what came; looks again after each line. */
  async until<T>(
    what: string,
    find: () => T | undefined,
    timeoutMs: number = this.#options.timeoutMs,
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
        timer = setTimeout(() => reject(broken(`${what} did not come in ${timeoutMs} ms`)), timeoutMs);
        this.#watchers.add(watcher);
        watcher();
      });
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(watcher);
    }
  }

  /** Closes the agent's input; gives how it exited, or nothing where it did not in its grace. */
  async closeInput(): Promise<ExitStatus | undefined> {
    this.#group.stdin.end();
    try {
      return await this.until('the exit', () => this.#ended, this.#options.closeGraceMs);
    } catch {
      // Not gone yet: that is the answer.
      return undefined;
    }
  }

  /** Ends the agent, by force if need be; all it wrote is then in `lines`. */
  async end(): Promise<void> {
    await this.#group.end({ inputMs: this.#options.closeGraceMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
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
    if (typeof method === 'string') this.#reply(message);
    else if (!this.#answers.has(id)) this.#answers.set(id, message);
  }

  #notifyWatchers(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** What the least client answers: no to permissions, and that it knows nothing else. */
  #reply({ id, method, params }: JsonObject): void {
    if (id === undefined) return;
    const reply =
      method === 'session/request_permission'
        ? { result: { outcome: rejection(params) } }
        : { error: { code: -32601, message: 'Method not found' } };
    this.writeLine(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
  }

  #endText(): string {
    if (this.#outputBytes > maxOutputBytes) return `it wrote more than ${maxOutputBytes} bytes`;
    const { exitCode, signal } = this.#ended ?? { exitCode: null, signal: null };
    return signal === null ? `the agent exited with status ${exitCode}` : `the agent was ended by ${signal}`;
  }
}

/** The result of an answer; an error is a failure of the check. */
export function toResult({ method, message }: Answer): unknown {
  const { result, error } = message;
  demand(error === undefined, `${method} was answered with the error ${shown(error)}`);
  return result;
}

/** The longest output of an agent that is kept; one that writes more is ended. */
const maxOutputBytes = 64 * 1024 * 1024;

function rejection(params: unknown): object {
  const options = listAt(params, 'options');
  const option = options.find((each) => String(valueAt(each, 'kind')).startsWith('reject'));
  return option === undefined
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: valueAt(option, 'optionId') };
}

function broken(message: string): CheckError {
  return new CheckError('broken', message);
}

import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { isJsonObject, type JsonObject, valueAt } from '@parley/wire';
import type { ClientProgram } from '../client/client-program.ts';

/** A client in this process without defects, of which a defect replaces parts: one session, one prompt. */
export class SeededClient {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  /** Settles when the client has ended. */
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #lastId = 0;
  #session: unknown;
  #isCancelled = false;
  readonly #terminals = new Set<unknown>();
  readonly #sent = new Map<unknown, string>();

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    createInterface({ input: this.input }).on('line', (line) => {
      const message: unknown = JSON.parse(line);
      if (isJsonObject(message)) this.receive(message);
    });
  }

  start(): void {
    this.request('initialize', {
      protocolVersion: 1,
      clientCapabilities: { elicitation: { form: {} }, terminal: true },
      clientInfo: { name: 'seeded', version: '1.0.0' },
    });
  }

  end(): void {
    this.output.end();
    this.#end();
  }

  nextId(count: number): unknown {
    return count;
  }

  request(method: string, params: JsonObject): void {
    this.#lastId += 1;
    const id = this.nextId(this.#lastId);
    this.#sent.set(id, method);
    this.send({ id, method, params });
  }

  writeText(text: string | Uint8Array): void {
    this.output.write(text);
  }

  send(message: JsonObject): void {
    this.writeText(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  receive(message: JsonObject): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') this.received(this.#sent.get(id), message);
    else if (id === undefined) this.notified(method, params);
    else this.send({ id, ...this.answers(method, params) });
  }

  notified(_method: string, _params: unknown): void {
    // A good client ignores what it does not know.
  }

  received(method: string | undefined, { result, error }: JsonObject): void {
    if (method === undefined) return;
    if (error !== undefined) {
      this.failed(method);
    } else if (method === 'initialize') {
      if (this.supports(valueAt(result, 'protocolVersion'))) {
        this.open(valueAt(result, 'agentCapabilities', 'loadSession') === true);
      } else {
        this.end();
      }
    } else if (method === 'session/new' || method === 'session/load') {
      this.prompt(method === 'session/new' ? valueAt(result, 'sessionId') : 'stored');
    } else {
      this.end();
    }
  }

  /** Opens a stored session where the agent has them, else a new one. */
  open(canLoad: boolean): void {
    const place = { cwd: '/', mcpServers: [] };
    if (canLoad) this.request('session/load', { sessionId: 'stored', ...place });
    else this.request('session/new', place);
  }

  prompt(sessionId: unknown): void {
    this.#session = sessionId;
    this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
  }

  supports(version: unknown): boolean {
    return version === 1;
  }

  failed(_method: string): void {
    this.end();
  }

  /** Its user presses Ctrl-C. */
  interrupted(): void {
    this.#isCancelled = true;
    this.cancel({ sessionId: this.#session });
  }

  cancel(params: JsonObject): void {
    this.send({ method: 'session/cancel', params });
  }

  outcome(isCancelled: boolean): JsonObject {
    return isCancelled ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: 'no' };
  }

  answers(method: string, params?: unknown): JsonObject {
    if (method === 'session/request_permission') {
      return { result: { outcome: this.outcome(this.#isCancelled) } };
    }
    if (method.startsWith('terminal/')) return this.terminal(method, valueAt(params, 'terminalId'));
    if (method === 'elicitation/create') return { result: { action: 'decline' } };
    return { error: { code: -32_601, message: 'Method not found' } };
  }

  /** A terminal whose command exits at once. */
  terminal(method: string, terminalId: unknown): JsonObject {
    if (method === 'terminal/create') {
      this.#terminals.add('t');
      return { result: { terminalId: 't' } };
    }
    if (!this.#terminals.has(terminalId)) return { error: { code: -32_002, message: 'no such terminal' } };
    if (method === 'terminal/output') {
      return { result: { output: 'parley-check\n', truncated: false, exitStatus: { exitCode: 0 } } };
    }
    if (method === 'terminal/wait_for_exit') return { result: { exitCode: 0 } };
    if (method === 'terminal/release') this.release(terminalId);
    return { result: {} };
  }

  release(terminalId: unknown): void {
    this.#terminals.delete(terminalId);
  }
}

/** Runs clients in this process, each with the defect. */
export function seededClientProgram(change: (client: SeededClient) => void): ClientProgram {
  return {
    run: async ({ onAgent, timeoutMs }) => {
      const client = new SeededClient();
      change(client);
      const interrupt = (): void => client.interrupted();
      onAgent({ input: client.output, output: client.input, interrupt });
      client.start();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const isLate = new Promise<false>((resolve) => {
        timer = setTimeout(resolve, timeoutMs, false);
      });
      const hasEnded = await Promise.race([client.ended.then(() => true), isLate]);
      clearTimeout(timer);
      return hasEnded;
    },
  };
}

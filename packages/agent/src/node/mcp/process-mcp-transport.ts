import { deserializeMessage } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { startProcess } from '@parley/workspace';
import type { ProcessGroup, ProcessOptions } from '@parley/workspace';

/** Length of a line that a server writes. */
const maxLineBytes = 16 * 1024 * 1024;

/**
 * MCP over the standard streams of a process in its own process group: after closing, no process that it started is
 * running.
 */
export class ProcessMcpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ProcessOptions;
  #group: ProcessGroup | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const group = await startProcess(this.#options);
    this.#group = group;
    group.stdout.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    // What a server says there is for its developer, and may hold anything.
    group.stderr.resume();
    void group.closed.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#group?.stdin;
    if (input?.writable !== true) throw new Error('the server has ended');
    await new Promise<void>((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    await this.#group?.end({ inputMs: 300, termMs: 700 });
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#chunks.push(rest.subarray(0, end));
      const line = Buffer.concat(this.#chunks).toString('utf8');
      this.#chunks = [];
      this.#bytes = 0;
      rest = rest.subarray(end + 1);
      this.#read(line);
    }
    if (rest.length === 0) return;
    this.#chunks.push(rest);
    this.#bytes += rest.length;
    if (this.#bytes <= maxLineBytes) return;
    this.onerror?.(new Error(`a line is longer than ${String(maxLineBytes)} bytes`));
    this.#group?.kill();
    this.#chunks = [];
    this.#bytes = 0;
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.onerror?.(new Error('a line is not a JSON-RPC message'));
      return;
    }
    this.onmessage?.(message);
  }
}

import { randomUUID } from 'node:crypto';
import { acpCodes, resourceNotFound } from '@parley/acp';
import { RpcError } from '@parley/wire';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** Open terminals of one session; more are rejected until some are released. */
const terminalLimit = 64;

/** The command to start, and the receiver of its output. */
export interface NewTerminal extends Omit<TerminalOptions, 'onText'> {
  readonly onText?: (terminalId: string, text: string) => void;
}

/** The terminals of one session. */
export interface Terminals {
  /** @returns the new terminal's id, which cannot be guessed from another session */
  create(options: NewTerminal): Promise<string>;
  /** Returns a terminal by its id. @throws {RpcError} -32002, unknown or released. */
  get(terminalId: string): Terminal;
  /** Ends the terminal's command and forgets it. */
  release(terminalId: string): Promise<void>;
  /** Ends all of them, and any that is being started. */
  endAll(): Promise<void>;
}

/** Begins without terminals. */
export function createTerminals(): Terminals {
  return new SessionTerminals();
}

class SessionTerminals implements Terminals {
  readonly #terminals = new Map<string, Terminal>();
  readonly #starting = new Set<Promise<Terminal>>();
  #isEnded = false;

  async create({ onText, ...options }: NewTerminal): Promise<string> {
    if (this.#terminals.size + this.#starting.size >= terminalLimit) {
      throw new RpcError(acpCodes.internalError, `${terminalLimit} terminals are open; release some first`);
    }
    const terminalId = `term_${randomUUID()}`;
    const starting = openTerminal({
      ...options,
      ...(onText !== undefined && {
        onText: (text) => {
          onText(terminalId, text);
        },
      }),
    });
    this.#starting.add(starting);
    try {
      const terminal = await starting;
      if (this.#isEnded) throw new RpcError(acpCodes.internalError, 'the session was closed');
      this.#terminals.set(terminalId, terminal);
      return terminalId;
    } finally {
      this.#starting.delete(starting);
    }
  }

  get(terminalId: string): Terminal {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) throw resourceNotFound(terminalId);
    return terminal;
  }

  async release(terminalId: string): Promise<void> {
    const terminal = this.get(terminalId);
    this.#terminals.delete(terminalId);
    await terminal.kill();
  }

  async endAll(): Promise<void> {
    this.#isEnded = true;
    const opened = [...this.#terminals.values()].map((terminal) => terminal.kill());
    const starting = [...this.#starting].map(async (terminal) => (await terminal).kill());
    this.#terminals.clear();
    await Promise.allSettled([...opened, ...starting]);
  }
}

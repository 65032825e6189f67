import type {
  CreateTerminalRequest,
  TerminalExitStatus,
  TerminalOutputResponse,
  ToolCallContent,
} from '@parley/acp';
import type { ClientPeer } from '@parley/acp/unstable';
import { untilAborted } from '@parley/wire';

/** The client of one session, as far as its terminals go. */
export interface TerminalHome {
  readonly sessionId: string;
  /** The client outside of any request: a cancelled turn still receives the id of its terminal, to release it. */
  readonly client: ClientPeer;
  /** Time limit of each step of ending a terminal. */
  readonly endMs: number;
}

/** A command in a terminal of the client. Disposing releases the terminal, which ends the command. */
export interface ClientTerminal extends AsyncDisposable {
  /** Shows the terminal in a tool call. */
  readonly content: ToolCallContent;
  /** Aborting ends the wait, not the command. */
  waitForExit(signal: AbortSignal): Promise<TerminalExitStatus>;
  output(signal: AbortSignal): Promise<TerminalOutputResponse>;
  /** Ends the command, as far as the client does that in time. Never rejects. */
  kill(): Promise<void>;
  /** The output after a kill; empty if the client does not send it in time. */
  lastOutput(): Promise<TerminalOutputResponse>;
}

/** Starts a command. When that is aborted, and the client makes the terminal all the same, it is released then. */
export async function openTerminal(
  command: Omit<CreateTerminalRequest, 'sessionId'>,
  home: TerminalHome,
  signal: AbortSignal,
): Promise<ClientTerminal> {
  const { client, sessionId } = home;
  const opened = client
    .request('terminal/create', { sessionId, ...command })
    .then(({ terminalId }) => createTerminal(terminalId, home));
  try {
    return await untilAborted(opened, signal);
  } catch (error) {
    void opened.then(
      (terminal) => terminal[Symbol.asyncDispose](),
      // There is nothing to release.
      () => undefined,
    );
    throw error;
  }
}

function createTerminal(terminalId: string, { sessionId, client, endMs }: TerminalHome): ClientTerminal {
  const params = { sessionId, terminalId };
  return {
    content: { type: 'terminal', terminalId },
    waitForExit: (signal) => client.request('terminal/wait_for_exit', params, { signal }),
    output: (signal) => client.request('terminal/output', params, { signal }),
    kill: async () => {
      try {
        await client.request('terminal/kill', params, { timeoutMs: endMs });
      } catch {
        // The release ends the command too.
      }
    },
    lastOutput: async () => {
      try {
        return await client.request('terminal/output', params, { timeoutMs: endMs });
      } catch {
        return { output: '', truncated: false };
      }
    },
    [Symbol.asyncDispose]: async () => {
      try {
        await client.request('terminal/release', params, { timeoutMs: endMs });
      } catch {
        // What is left of the terminal is the client's.
      }
    },
  };
}

import { invalidRequest } from '@parley/acp';
import { forkSession } from '../agent-session/opening/fork-session.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { OnDemandAgent } from './run/on-demand-agent.ts';

/** Forks a session with its agent. */
export class SessionFork {
  readonly #onDemand: OnDemandAgent;
  readonly #isOffered: () => boolean;
  #isRunning = false;

  /** @param isOffered Whether the running agent supports forking. */
  constructor(onDemand: OnDemandAgent, isOffered: () => boolean) {
    this.#onDemand = onDemand;
    this.#isOffered = isOffered;
  }

  /** Returns the agent's id of the new session. @throws {RpcError} The agent does not support forking. */
  async fork(): Promise<string> {
    this.#isRunning = true;
    try {
      const forked = await this.#onDemand.use(
        async ({ session: { cwd, id: sessionId }, agent: { connection } }) => {
          if (!this.#isOffered()) throw invalidRequest(`session/fork: ${connection.name} does not offer it`);
          return forkSession(connection, { sessionId, cwd });
        },
      );
      // The new session is open with this agent, but must continue with an agent of its own.
      await this.#onDemand.end();
      return forked;
    } finally {
      this.#isRunning = false;
    }
  }

  /** Whether an event belongs to a session that the agent has just forked and that is not open yet. */
  isAboutFork(event: HostEvent): boolean {
    return this.#isRunning && event.type === 'diagnostic' && event.code === 'unknown-session';
  }
}

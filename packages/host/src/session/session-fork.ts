import { invalidRequest } from '@parley/acp';
import { forkSession } from '../agent-session/opening/fork-session.ts';
import type { HostEvent } from '../event/host-event.ts';
import type { OnDemandAgent } from './on-demand-agent.ts';

/** Has the agent of a session make another session of it. */
export class SessionFork {
  readonly #onDemand: OnDemandAgent;
  readonly #isOffered: () => boolean;
  #isRunning = false;

  /** @param isOffered Whether the agent, once it runs, said that it can. */
  constructor(onDemand: OnDemandAgent, isOffered: () => boolean) {
    this.#onDemand = onDemand;
    this.#isOffered = isOffered;
  }

  /** Gives what the agent calls the new session. @throws {RpcError} The agent does not offer it. */
  async fork(): Promise<string> {
    this.#isRunning = true;
    try {
      const forked = await this.#onDemand.use(
        async ({ session: { cwd, id: sessionId }, agent: { connection } }) => {
          if (!this.#isOffered()) throw invalidRequest(`session/fork: ${connection.name} does not offer it`);
          return forkSession(connection, { sessionId, cwd });
        },
      );
      // The new session is open with this agent, and is to go on with one of its own.
      await this.#onDemand.end();
      return forked;
    } finally {
      this.#isRunning = false;
    }
  }

  /** Whether an event is what the agent says of the session that it has just made, before that is opened. */
  isAboutFork(event: HostEvent): boolean {
    return this.#isRunning && event.type === 'diagnostic' && event.code === 'unknown-session';
  }
}

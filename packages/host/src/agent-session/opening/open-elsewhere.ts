import type { AgentPeer } from '@parley/acp';
import { systemClock } from '@parley/wire';
import { offersUnstable, requestUnstable } from '../../agent/unstable/unstable-request.ts';
import type { HostContext } from '../../host-context.ts';

/** Time limit for an agent to say whether another program has a session open. */
const statusMs = 5000;

/** Sessions of one agent connection of which it is known who opened them; the agent is not asked about further ones. */
const maxKnownSessions = 1024;

/** Whether other programs have the sessions open that one agent connection continues, as the agent reports. */
export class OpenElsewhere {
  readonly #peer: AgentPeer;
  readonly #host: HostContext;
  /** By the ids of sessions that this connection has opened, or tried to: whether the user is still to be warned. */
  readonly #known = new Map<string, boolean>();

  constructor(peer: AgentPeer, host: HostContext) {
    this.#peer = peer;
    this.#host = host;
  }

  /** The connection has opened a new session, which is open because of this from now on. */
  begun(sessionId: string): void {
    this.#note(sessionId, false);
  }

  /**
   * Asks the agent about a session before it is continued; once, because the connection itself may have it open after that. An
   * agent that refuses, or answers with something else, reports nothing.
   */
  async ask(sessionId: string, signal: AbortSignal | undefined): Promise<void> {
    const { capabilities } = this.#peer;
    if (!offersUnstable(capabilities, 'session/status')) return;
    if (this.#known.has(sessionId) || !this.#note(sessionId, false)) return;
    const asked = { agent: this.#peer, capabilities, name: this.#host.agentName };
    // A cancelled request, not one with a time limit: its late answer is no irregularity that users are warned of.
    const limit = new AbortController();
    const stop = systemClock.after(statusMs, () => {
      limit.abort();
    });
    try {
      const { status } = await requestUnstable(
        asked,
        'session/status',
        { sessionId },
        { signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]) },
      );
      if (status === 'open') this.#note(sessionId, true);
    } catch {
      signal?.throwIfAborted();
    } finally {
      stop();
    }
  }

  /** The session is continued: warns the user if another program has it open, too. */
  continued(sessionId: string): void {
    if (this.#known.get(sessionId) !== true) return;
    this.#note(sessionId, false);
    const name = JSON.stringify(this.#host.agentName);
    const message = `${name} reports that another program has this session open, too. Each may not see what the other writes`;
    this.#host.diagnose('warning', 'open-elsewhere', message);
  }

  /** Returns whether there was room. */
  #note(sessionId: string, isToBeReported: boolean): boolean {
    if (!this.#known.has(sessionId) && this.#known.size >= maxKnownSessions) return false;
    this.#known.set(sessionId, isToBeReported);
    return true;
  }
}

import type { McpServer } from '@parley/acp';
import type { CancelOptions, SignalOptions } from '../agent-session/agent-session.ts';
import type { AgentConnection } from '../agent/agent-connection.ts';
import { Delegates } from '../delegation/delegates.ts';
import type { Interact } from '../interact.ts';
import type { Redaction } from '../redaction/redaction.ts';
import { asSubagent } from './as-subagent.ts';
import { askClients } from './ask-clients.ts';
import type { OpenQuestions } from './open-questions.ts';
import { takesReason, type AgentRun } from './run/agent-run.ts';
import type { SessionOptions } from './session-options.ts';

/** Parts of a session that its sub-agents need. */
export interface SessionSubagentsParts {
  readonly run: () => AgentRun | undefined;
  readonly questions: OpenQuestions;
  readonly redaction: () => Redaction;
  readonly isUnattended: () => boolean;
  /** Some work, or none does any more. */
  readonly onWork: () => void;
}

/** The sub-agents of a session: those that its agent has, and its delegates, which are sessions of their own. */
export class SessionSubagents {
  readonly #parts: SessionSubagentsParts;
  readonly #delegates: Delegates | undefined;
  /** The run whose agent is being ended: it still accepts events. */
  #ending: Pick<AgentRun, 'report'> | undefined;
  /** What the agent calls the session. */
  #sessionId: string;

  constructor(options: SessionOptions, parts: SessionSubagentsParts) {
    this.#parts = parts;
    const {
      delegation,
      key,
      agent,
      cwd,
      worktree,
      additionalDirectories = [],
      owner,
      runtime,
      spec,
      sandbox,
    } = options;
    this.#sessionId = key;
    if (delegation === undefined) return;
    const { run, questions, redaction, isUnattended, onWork } = parts;
    this.#delegates = new Delegates(
      {
        key,
        agent,
        sessionId: () => {
          this.#sessionId = run()?.session.id ?? this.#sessionId;
          return this.#sessionId;
        },
        place: {
          cwd,
          additionalDirectories,
          ...(worktree !== undefined && { worktree }),
          ...(owner !== undefined && { owner }),
        },
        runtime,
        ...(spec !== undefined && {
          launch: { spec, cwd, ...(sandbox !== undefined && { choice: sandbox }) },
        }),
        mode: () => ({ agent, session: run()?.session }),
        sandbox: () => run()?.agent.connection.sandbox?.plan.mode ?? 'off',
        isUnattended,
        interactFor: (delegate, session): Interact => {
          const reason = (): boolean => takesReason(session()?.run);
          const asked = {
            key,
            questions,
            takesReason: reason,
            redaction: () => session()?.redaction ?? redaction(),
          };
          return asSubagent(options.interact ?? askClients(asked), delegate);
        },
        report: (event) => (run() ?? this.#ending)?.report(event),
        onWork,
      },
      delegation,
    );
  }

  /** Whether sub-agents are working, according to their last report: they may continue after the turn has ended. */
  get areWorking(): boolean {
    return this.#delegates?.areWorking === true || this.#parts.run()?.session.hasWorkingSubagents === true;
  }

  /** Settles when none works any more, the session has ended, or the signal is aborted. Never rejects. */
  async settled(options: SignalOptions = {}): Promise<void> {
    while (this.areWorking && options.signal?.aborted !== true) {
      await this.#delegates?.settled(options.signal);
      await this.#parts.run()?.session.subagentsSettled(options);
    }
  }

  /** Cancels the work of one, while an agent runs. @throws {HostError} `not-supported`: it does not allow that now. */
  cancel(sessionId: string): void {
    if (this.#delegates?.has(sessionId) === true) void this.#delegates.cancel(sessionId);
    else this.#parts.run()?.session.cancelSubagent(sessionId);
  }

  /** The MCP servers by which an agent that has just started delegates. */
  async serve(agent: AgentConnection): Promise<readonly McpServer[]> {
    return this.#delegates === undefined ? [] : [await this.#delegates.serve(agent)];
  }

  /** The turn was cancelled or has failed: ends all delegates. Never rejects. */
  async end(options?: CancelOptions): Promise<void> {
    await this.#delegates?.end(options);
  }

  /** The agent ends: ends all delegates, and what was served. Never rejects. */
  async close(ending: Pick<AgentRun, 'report'>): Promise<void> {
    this.#ending = ending;
    await this.#delegates?.close();
    this.#ending = undefined;
  }
}

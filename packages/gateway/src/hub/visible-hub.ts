import type { AttendResult, HubAgent, HubQuestion, HubSession } from '@parley/host/hub';
import { judgeSession } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import type { HubSessions } from './hub-sessions.ts';

/** What of the hub a token may see. */
export class VisibleHub {
  readonly #table: HubSessions;
  readonly #principal: Principal;

  constructor(table: HubSessions, principal: Principal) {
    this.#table = table;
    this.#principal = principal;
  }

  /** Whether the token may see a session. */
  sees(key: string): boolean {
    return judgeSession(this.#principal, this.#table.knownOwner(key), 'look') === 'allowed';
  }

  session(key: string): HubSession | undefined {
    return this.sees(key) ? this.#table.session(key) : undefined;
  }

  get sessions(): readonly HubSession[] {
    return this.#table.sessions.filter(({ key }) => this.sees(key));
  }

  get agents(): readonly HubAgent[] {
    return this.#table.agents.all;
  }

  get questions(): readonly HubQuestion[] {
    return this.#table.questions.filter(({ key }) => this.sees(key));
  }

  /** What a client that attends receives first. */
  get whole(): AttendResult {
    const { sessions, agents, questions } = this;
    const { workspaces, info } = this.#table.options;
    const { name, scope } = this.#principal;
    return {
      sessions,
      agents,
      questions,
      workspaces,
      version: info.version,
      person: name,
      scope,
    };
  }
}

import type {
  AttendResult,
  HubAgent,
  HubMachine,
  HubQuestion,
  HubSession,
  MarkedSessions,
} from '@parley/host/hub';
import { judgeSession } from '../access/session-access.ts';
import type { Principal } from '../access/token.ts';
import { machinesOf } from './replicas/machines.ts';
import type { HubSessions } from './sessions/hub-sessions.ts';

/** The part of the hub that a token may see. */
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
    const { all } = this.#table.agents;
    if (this.#principal.scope === 'admin') return all;
    // Who signs in, and where prompts go, concerns those who administer the server.
    return all.map(({ accounts: _accounts, card, ...agent }) => {
      if (card === undefined) return agent;
      const { providers: _providers, ...shown } = card;
      return { ...agent, card: shown };
    });
  }

  get questions(): readonly HubQuestion[] {
    return this.#table.questions.filter(({ key }) => this.sees(key));
  }

  get marks(): MarkedSessions {
    return this.#table.marks.of(this.#principal.id);
  }

  get machines(): readonly HubMachine[] {
    return machinesOf(this.#table.replicas, this.#principal);
  }

  /** What a client that attends receives first. */
  get whole(): AttendResult {
    const { sessions, agents, questions, marks, machines } = this;
    const { workspaces, info } = this.#table.options;
    const { name, scope } = this.#principal;
    return {
      sessions,
      agents,
      questions,
      marks,
      machines,
      workspaces,
      version: info.version,
      person: name,
      scope,
    };
  }
}

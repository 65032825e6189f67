import { isJsonObject, type Message, type RequestMessage } from '@parley/wire';

/** What a session is brought back with. */
export interface ProxiedSession {
  readonly sessionId: string;
  readonly cwd: unknown;
  readonly mcpServers: unknown;
  readonly additionalDirectories?: unknown;
}

/** The sessions that a client has opened, as far as its requests and their answers report. */
export class ProxiedSessions {
  readonly #sessions = new Map<string, ProxiedSession>();

  get open(): readonly ProxiedSession[] {
    return [...this.#sessions.values()];
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** A request was answered. */
  follow({ method, params }: RequestMessage, answer: Message): void {
    if (!('result' in answer) || !isJsonObject(params)) return;
    switch (method) {
      case 'session/new':
      case 'session/fork':
        this.#add(isJsonObject(answer.result) ? answer.result['sessionId'] : undefined, params);
        return;
      case 'session/load':
      case 'session/resume':
        this.#add(params['sessionId'], params);
        return;
      case 'session/close':
      case 'session/delete':
        if (typeof params['sessionId'] === 'string') this.forget(params['sessionId']);
        return;
      default:
    }
  }

  #add(
    sessionId: unknown,
    { cwd, mcpServers = [], additionalDirectories }: Readonly<Record<string, unknown>>,
  ): void {
    if (typeof sessionId !== 'string') return;
    this.#sessions.set(sessionId, {
      sessionId,
      cwd,
      mcpServers,
      ...(additionalDirectories !== undefined && { additionalDirectories }),
    });
  }
}

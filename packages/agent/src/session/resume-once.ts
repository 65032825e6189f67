import type { NewSessionRequest, SessionUpdate } from '@parley/acp';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Which kept session the first `session/new` goes on with. */
export interface ResumeDirective {
  /** @default the one in its directory that was used last */
  readonly sessionId?: string;
  /** Called when there is none, or it cannot be resumed: the session is then a new one. */
  readonly onMiss: (message: string) => void;
}

/** Source document 001, C.2: resumes a stored session at the first `session/new` of a connection, once. */
export class ResumeOnce {
  #directive: ResumeDirective | undefined;
  readonly #sessions: Sessions;

  constructor(directive: ResumeDirective | undefined, sessions: Sessions) {
    this.#directive = directive;
    this.#sessions = sessions;
  }

  /** The session that is kept, after its history was shown; undefined when a new one is to be made. */
  async take(
    request: NewSessionRequest,
    show: (sessionId: string, update: SessionUpdate) => Promise<void>,
  ): Promise<Session | undefined> {
    const directive = this.#directive;
    if (directive === undefined) return undefined;
    this.#directive = undefined;
    try {
      const sessionId = directive.sessionId ?? (await this.#sessions.latest(request.cwd));
      if (sessionId !== undefined) {
        return await this.#sessions.restore({ ...request, sessionId }, (update) => show(sessionId, update));
      }
      directive.onMiss(`there is no session in ${request.cwd} to go on with; this one is new`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      directive.onMiss(`cannot go on with the session that was asked for; this one is new: ${reason}`);
    }
    return undefined;
  }
}

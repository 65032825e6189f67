import type { NewSessionRequest } from '@parley/acp';
import type { ShowHistory } from './record/restore-session.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** The stored session that the first `session/new` resumes. */
export interface ResumeDirective {
  /** @default the session that was last used in its directory */
  readonly sessionId?: string;
  /** Called if the session does not exist or cannot be resumed; a new session is created instead. */
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

  /** Returns the stored session, after its history was shown; undefined if a new one has to be created. */
  async take(
    request: NewSessionRequest,
    showIn: (sessionId: string) => ShowHistory,
  ): Promise<Session | undefined> {
    const directive = this.#directive;
    if (directive === undefined) return undefined;
    this.#directive = undefined;
    try {
      const sessionId = directive.sessionId ?? (await this.#sessions.latest(request.cwd));
      if (sessionId !== undefined) {
        return await this.#sessions.restore({ ...request, sessionId }, showIn(sessionId));
      }
      directive.onMiss(`no stored session in ${request.cwd}; started a new one`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      directive.onMiss(`could not resume the requested session; started a new one: ${reason}`);
    }
    return undefined;
  }
}

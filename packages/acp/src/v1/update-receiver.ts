import { Invalid, type ParamTexts } from '@parley/wire';
import type { AcpDiagnostic, AcpDiagnosticCode } from '../diagnostic.ts';
import type { IncomingUpdate } from './client/client-definition.ts';
import type { ClientSession } from './client/client-session.ts';
import type { SubagentTree } from './client/subagent-tree.ts';
import { settled } from './incoming-notifications.ts';
import type { AnyHandler } from './maps.ts';
import type { Reader } from './method.ts';
import { isTurnUpdate } from './rules/session-update.ts';
import { type SessionBook, sessionIdOf } from './session-book.ts';

/** What receiving updates takes. */
export interface UpdateReceiverOptions {
  readonly parseUpdate: Reader<IncomingUpdate>;
  readonly onUpdate: AnyHandler;
  readonly sessions: SessionBook<ClientSession>;
  readonly subagents: SubagentTree;
  /** A session that is in no book: its updates are delivered all the same. */
  createSession(): ClientSession;
  report(diagnostic: AcpDiagnostic): void;
}

/** Takes `session/update`, by far the most frequent message: nothing is made for one that is as usual. */
export class UpdateReceiver {
  readonly #options: UpdateReceiverOptions;

  constructor(options: UpdateReceiverOptions) {
    this.#options = options;
  }

  take(raw: unknown, texts: ParamTexts | undefined): void | Promise<void> {
    const { parseUpdate, onUpdate, sessions } = this.#options;
    const params = parseUpdate(raw);
    if (params instanceof Invalid) {
      return this.#report('invalid-params', sessionIdOf(raw), `ignored: ${params.message}`);
    }
    const { sessionId, update } = params;
    const kind = update.sessionUpdate;
    const session = sessions.get(sessionId) ?? this.#createStranger(sessionId);
    const isLate = session.isBetweenTurns && isTurnUpdate(kind);
    if (isLate) this.#report('late-update', sessionId, `${kind} came after the answer to its prompt`);
    if (kind === 'unknown') this.#report('unknown-variant', sessionId, 'unknown kind of update');
    const isHistory = this.#isHistory(sessionId, session);
    if (kind === 'subagent_update' && !this.#takeSubagent(sessionId, update, isHistory)) return;
    session.context.set(raw, isLate, isHistory, texts?.textOf('update'));
    const handled = settled(onUpdate(params, session.context));
    // It is a piece of all that one read brought, and would keep that for a session in which nothing more happens.
    if (handled === undefined) session.context.forgetText();
    return handled;
  }

  /** Whether a child session was announced, or changed. */
  #takeSubagent(
    parentId: string,
    { sessionId, capabilities }: IncomingUpdate['update'],
    isHistory: boolean,
  ): boolean {
    const { sessions, subagents } = this.#options;
    if (typeof sessionId !== 'string') return false;
    if (sessions.get(parentId) === undefined) {
      this.#report('invalid-announcement', parentId, `ignored: session ${parentId} is not open`);
      return false;
    }
    const why = subagents.take(parentId, { sessionId, capabilities }, isHistory);
    if (why === undefined) sessions.open(sessionId);
    else this.#report('invalid-announcement', parentId, `ignored: ${why}`);
    return why === undefined;
  }

  /** Whether the session at the top is being loaded or resumed. */
  #isHistory(sessionId: string, session: ClientSession): boolean {
    const { sessions, subagents } = this.#options;
    const root = subagents.rootOf(sessionId);
    return (root === sessionId ? session : sessions.get(root))?.isLoading === true;
  }

  #createStranger(sessionId: string): ClientSession {
    const { sessions, createSession } = this.#options;
    if (!sessions.isExpecting) this.#report('unknown-session', sessionId, `session ${sessionId} is not open`);
    return createSession();
  }

  #report(code: AcpDiagnosticCode, sessionId: string | undefined, why: string): void {
    this.#options.report({
      code,
      message: `session/update: ${why}`,
      method: 'session/update',
      ...(sessionId !== undefined && { sessionId }),
    });
  }
}

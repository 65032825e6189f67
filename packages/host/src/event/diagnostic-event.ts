/**
 * The subject of a diagnostic.
 *
 * - `stdout-noise`: a line without a message.
 * - `invalid-utf8`, `oversized-line`, `truncated-line`: a line that could not be read was skipped.
 * - `invalid-message`: JSON, but not a message of the protocol.
 * - `unexpected-answer`: a response without a request.
 * - `unknown-variant`: an unknown kind of update or permission option, or an unknown stop reason, was passed on
 * unchanged.
 * - `ignored-notification`: an invalid or unknown notification was ignored, or a session announced a sub-agent that
 *   cannot be its own.
 * - `unknown-session`: a message about a session that is not open.
 * - `late-update`: an update of a turn that had ended.
 * - `cancel-error`: a cancelled prompt was answered with an error instead of `cancelled`.
 * - `agent-ended`: the agent did not end a cancelled turn in time and was ended.
 * - `not-recovered`: a session, or one of its settings, could not be restored after a restart of its agent.
 * - `steering-unknown`: text for a running turn was not answered; the agent may have received it.
 * - `not-cancelled`: a sub-agent could not be cancelled.
 * - `not-marked`: the agent did not store a title that the user gave the session, or did not archive it.
 * - `no-machine`: no machine of the hub has the folder of the session, which waits for one.
 * - `open-elsewhere`: the agent reports that another program has the session open, too.
 * - `close-failed`: the agent did not close a session.
 * - `answers`: remembered answers could not be read or stored.
 * - `not-stored`: events of the session cannot be stored; its turn was cancelled.
 * - `changes`: changes are not recorded, for example because git is missing or a checkpoint failed.
 * - `host-blocked`: the sandbox blocked a host before a session was open.
 * - `became-repository`: an agent in a sandbox made a folder of its session a git repository by files in it.
 * - `limit-reached`: a limit was reached.
 * - `handler-failed`: a handler of the client threw.
 */
export type DiagnosticCode =
  | 'stdout-noise'
  | 'invalid-utf8'
  | 'oversized-line'
  | 'truncated-line'
  | 'invalid-message'
  | 'unexpected-answer'
  | 'unknown-variant'
  | 'ignored-notification'
  | 'unknown-session'
  | 'late-update'
  | 'cancel-error'
  | 'agent-ended'
  | 'not-recovered'
  | 'steering-unknown'
  | 'not-cancelled'
  | 'not-marked'
  | 'no-machine'
  | 'open-elsewhere'
  | 'close-failed'
  | 'answers'
  | 'not-stored'
  | 'changes'
  | 'host-blocked'
  | 'became-repository'
  | 'limit-reached'
  | 'handler-failed';

/** An irregularity that did not end the connection. */
export interface DiagnosticEvent {
  readonly type: 'diagnostic';
  readonly level: 'info' | 'warning' | 'error';
  readonly code: DiagnosticCode;
  readonly message: string;
}

import type { AuthMethod } from '@parley/acp';
import type { ExitStatus } from '@parley/workspace';

/**
 * What kept us from it.
 *
 * - `start-failed`: the agent could not be started, or failed while it started.
 * - `start-timeout`: it did not answer `initialize` in time.
 * - `unsupported-version`: it speaks a protocol version that we do not.
 * - `invalid-directory`: a directory of the session does not exist, or is not an absolute path.
 * - `agent-exited`: its process or its connection ended.
 * - `auth-required`: it wants to be signed in first, and `authMethods` says how; or the server of a remote agent wants other
 *   credentials, and `httpStatus` is what it answered.
 * - `not-supported`: it did not declare what was asked for.
 * - `not-offered`: the session has no such mode, model, option or value; `offered` lists what it has.
 * - `open-timeout`: it did not open a session in time.
 * - `request-timeout`: it did not answer another request in time.
 * - `invalid-answer`: its answer was not what the protocol says.
 * - `already-open`: a session of that id is open on this agent.
 * - `turn-running`: the session has a turn already.
 * - `not-stored`: what happens in the session cannot be stored, because the disk is full for example.
 * - `not-installed`: the agent is known of, and cannot be started here.
 * - `overloaded`: too many sessions wait for an agent process already, or none was free for too long.
 * - `closed`: the session or the agent was closed on this side.
 * - `aborted`: the caller's signal was aborted.
 * - `nothing-to-undo`: the session has no such change to undo, redo, keep, revert or commit.
 * - `no-checkpoint`: what a turn changed is not covered, or its checkpoints were removed.
 * - `failed`: something else on this side went wrong; `cause` says what.
 */
export type HostErrorCode =
  | 'start-failed'
  | 'start-timeout'
  | 'unsupported-version'
  | 'invalid-directory'
  | 'agent-exited'
  | 'auth-required'
  | 'not-supported'
  | 'not-offered'
  | 'open-timeout'
  | 'request-timeout'
  | 'invalid-answer'
  | 'already-open'
  | 'turn-running'
  | 'not-stored'
  | 'not-installed'
  | 'overloaded'
  | 'closed'
  | 'aborted'
  | 'nothing-to-undo'
  | 'no-checkpoint'
  | 'failed';

/** What is known besides the message. */
export interface HostErrorDetails extends ErrorOptions {
  readonly exitStatus?: ExitStatus;
  readonly stderr?: string;
  readonly offered?: readonly string[];
  readonly authMethods?: readonly AuthMethod[];
  readonly httpStatus?: number;
  readonly unknownOutcome?: readonly string[];
}

/** We could not drive the agent. What the agent itself refuses is an `RpcError`. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  /** How the agent's process ended, where it did. */
  readonly exitStatus?: ExitStatus;
  /** The last lines the agent wrote to standard error, where it failed. Never part of the message. */
  readonly stderr?: string;
  /** For `not-offered`: what can be asked for instead. */
  readonly offered?: readonly string[];
  /** For `auth-required`: the ways to sign in. */
  readonly authMethods?: readonly AuthMethod[];
  /** For `auth-required` by the server of a remote agent: its status. Signing in to the agent would not help. */
  readonly httpStatus?: number;
  /** For a turn whose agent is gone: the tool calls that were open, with unknown outcome. */
  readonly unknownOutcome?: readonly string[];

  constructor(code: HostErrorCode, message: string, details: HostErrorDetails = {}) {
    super(message, details);
    this.code = code;
    if (details.exitStatus !== undefined) this.exitStatus = details.exitStatus;
    if (details.stderr !== undefined) this.stderr = details.stderr;
    if (details.offered !== undefined) this.offered = details.offered;
    if (details.authMethods !== undefined) this.authMethods = details.authMethods;
    if (details.httpStatus !== undefined) this.httpStatus = details.httpStatus;
    if (details.unknownOutcome !== undefined) this.unknownOutcome = details.unknownOutcome;
  }
}

import type { AuthMethod } from '@parley/acp';
import type { ExitStatus } from '@parley/workspace';

/**
 * Why an operation failed.
 *
 * - `start-failed`: the agent could not be started, or failed while it started.
 * - `start-timeout`: it did not respond to `initialize` in time.
 * - `unsupported-version`: it speaks an unsupported protocol version.
 * - `invalid-directory`: a directory of the session does not exist, or is not an absolute path.
 * - `agent-exited`: its process or its connection ended.
 * - `auth-required`: it requires a sign-in, with the methods in `authMethods`; or the server of a remote agent
 * requires other credentials, and `httpStatus` is its status.
 * - `not-supported`: the agent did not declare the capability.
 * - `not-offered`: the session has no such mode, model, option or value; `offered` lists the available ones.
 * - `not-held`: the sandbox that was asked for cannot hold it; it was not started, or does not get the session.
 * - `open-timeout`: it did not open a session in time.
 * - `request-timeout`: it did not respond to another request in time.
 * - `invalid-answer`: its response violates the protocol.
 * - `already-open`: a session with that id is open on this agent.
 * - `handed-over`: another machine runs the session now.
 * - `turn-running`: the session already has a running turn.
 * - `not-stored`: events of the session cannot be stored, for example because the disk is full.
 * - `not-installed`: the agent is known, but cannot be started here.
 * - `overloaded`: too many sessions wait for an agent process, or no slot was free in time.
 * - `closed`: the session or the agent was closed on this side.
 * - `aborted`: the caller's signal was aborted.
 * - `nothing-to-undo`: the session has no such change to undo, redo, keep, revert or commit.
 * - `no-checkpoint`: the changes of a turn are not covered, or its checkpoints were removed.
 * - `failed`: another failure on this side; `cause` is the reason.
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
  | 'not-held'
  | 'open-timeout'
  | 'request-timeout'
  | 'invalid-answer'
  | 'already-open'
  | 'handed-over'
  | 'turn-running'
  | 'not-stored'
  | 'not-installed'
  | 'overloaded'
  | 'closed'
  | 'aborted'
  | 'nothing-to-undo'
  | 'no-checkpoint'
  | 'failed';

/** Details in addition to the message. */
export interface HostErrorDetails extends ErrorOptions {
  readonly exitStatus?: ExitStatus;
  readonly stderr?: string;
  readonly offered?: readonly string[];
  readonly authMethods?: readonly AuthMethod[];
  readonly httpStatus?: number;
  readonly unknownOutcome?: readonly string[];
}

/** A failed operation with an agent. A rejection by the agent itself is an `RpcError`. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;
  /** How the agent's process ended, if it did. */
  readonly exitStatus?: ExitStatus;
  /** The last lines of the agent's standard error, if it failed. Never part of the message. */
  readonly stderr?: string;
  /** For `not-offered`: the available values. */
  readonly offered?: readonly string[];
  /** For `auth-required`: the sign-in methods. */
  readonly authMethods?: readonly AuthMethod[];
  /** For `auth-required` by the server of a remote agent: its status. Signing in to the agent would not help. */
  readonly httpStatus?: number;
  /** The open tool calls of a turn whose agent exited; their outcome is unknown. */
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

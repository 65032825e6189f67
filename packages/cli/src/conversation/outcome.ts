import { acpCodes } from '@parley/acp';
import {
  HostError,
  toSignInMethods,
  type PromptResult,
  type SignInMethod,
  type TurnFailure,
} from '@parley/host';
import { RpcError } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { exitStatus, statusOfError, statusOfStopReason } from '../exit-status.ts';
import type { Outcome } from '../output/output.ts';

/** How a turn ended that the agent answered. */
export function outcomeOfTurn(result: PromptResult, wasUnanswered: boolean): Outcome {
  return {
    stopReason: result.rawStopReason ?? result.stopReason,
    ...(result.usage !== undefined && { usage: result.usage }),
    // A script has to learn that something was refused only because no user was there.
    exitStatus: wasUnanswered ? exitStatus.unanswered : statusOfStopReason(result.stopReason),
  };
}

/** How a run ended that was ended from outside; the agent may still have answered the prompt. */
export function outcomeOfEnding(cause: CliError, result: PromptResult | undefined): Outcome {
  const status = statusOfError(cause.code);
  if (result === undefined || result.agentEnded === true) {
    return { error: { code: cause.code, message: cause.message }, exitStatus: status };
  }
  return { ...outcomeOfTurn(result, false), exitStatus: status };
}

/** A turn that failed, as the events of its session say it. */
export class FailedTurn extends Error {
  override readonly name = 'FailedTurn';
  readonly code: string | number;
  readonly data: unknown;

  constructor({ code, message, data }: TurnFailure['error']) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** How a run ended that failed. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof CliError) {
    return { error: { code: error.code, message: error.message }, exitStatus: statusOfError(error.code) };
  }
  if (error instanceof FailedTurn) {
    const { code, message, data } = error;
    const status = code === acpCodes.authRequired ? exitStatus.authenticationNeeded : statusOfCode(code);
    return { error: { code, message, ...(data !== undefined && { data }) }, exitStatus: status };
  }
  if (error instanceof HostError) {
    return { error: { code: error.code, message: messageOf(error) }, exitStatus: statusOfCode(error.code) };
  }
  if (error instanceof WorkspaceError) {
    return { error: { code: error.code, message: error.message }, exitStatus: exitStatus.failed };
  }
  if (error instanceof RpcError) {
    return {
      error: {
        code: error.code,
        message: error.message,
        ...(error.data !== undefined && { data: error.data }),
      },
      exitStatus: error.code === acpCodes.authRequired ? exitStatus.authenticationNeeded : exitStatus.failed,
    };
  }
  return { error: { code: 'internal', message: String(error) }, exitStatus: exitStatus.failed };
}

/** Of a `HostError`, or of what an agent answered. */
function statusOfCode(code: string | number): number {
  switch (code) {
    case 'not-offered':
    case 'not-supported':
      return exitStatus.usage;
    case 'auth-required':
      return exitStatus.authenticationNeeded;
    default:
      return exitStatus.failed;
  }
}

/** The message includes what the user can do. */
function messageOf(error: HostError): string {
  if (error.code !== 'auth-required') return error.message;
  if (error.httpStatus !== undefined) return `${error.message}; ${howToAuthorize}`;
  const ways = toSignInMethods(error.authMethods ?? []).map(toWay);
  return ways.length === 0 ? error.message : `${error.message}; ways to sign in: ${ways.join(', ')}`;
}

/** What the user can do where the server of a remote agent wants other credentials. */
export const howToAuthorize =
  'set PARLEY_TOKEN to a key for the server that PARLEY_URL names or, for an agent of the configuration, its "tokenEnv" or "headers"';

/** What the user can do, as far as it can be said in a few words. */
function toWay(method: SignInMethod): string {
  const { name, description } = method;
  if (method.kind === 'variables') {
    return `${name} (set ${method.variables.map((variable) => variable.name).join(', ')})`;
  }
  return description === undefined ? name : `${name} (${description})`;
}

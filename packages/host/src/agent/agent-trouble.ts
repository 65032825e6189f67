import { AcpError, acpCodes, type AuthMethod } from '@parley/acp';
import { RpcError, WireError, type CloseReason } from '@parley/wire';
import type { ExitStatus, ProcessLoad } from '@parley/workspace';
import { HostError } from '../host-error.ts';
import { toRefusalText } from './refusal-text.ts';
import { unauthorizedStatus } from './remote/unauthorized-status.ts';

/** How long it is looked whether an agent that did not start, or open a session, in time does something. */
export const loadLookMs = 200;

/** What is known about the agent when a request to it fails. */
export interface AgentTrouble {
  readonly name: string;
  readonly authMethods: readonly AuthMethod[];
  /** What is known of how a user signs in, beside what the agent says. */
  readonly signInHint: string | undefined;
  readonly hasProcess: boolean;
  /** How its process ended, once that and all it started has. Asked for only when its connection has ended. */
  readonly ended: Promise<ExitStatus>;
  /** Why its connection ended. Asked for only when it has. */
  readonly closeReason: Promise<CloseReason>;
  /** Whether it was this side that ended it. */
  readonly isEnding: boolean;
  stderrTail(): string;
}

/**
 * A failed request as an error of this package. What the agent itself refuses stays an `RpcError`, but for
 * "authentication required", which there is something to do about.
 */
export async function explain(
  method: string,
  error: unknown,
  agent: AgentTrouble,
  signal?: AbortSignal,
): Promise<Error> {
  if (signal?.aborted === true) return new HostError('aborted', `${method}: aborted`, { cause: error });
  if (error instanceof RpcError) {
    const text = toRefusalText(error);
    if (error.code !== acpCodes.authRequired) {
      return text === error.message ? error : new RpcError(error.code, text, error.data, { cause: error });
    }
    const hint = agent.signInHint === undefined ? '' : `; to sign in: ${agent.signInHint}`;
    const message = `${method}: ${JSON.stringify(agent.name)} wants to be signed in: ${text.replace(/\.\s*$/u, '')}${hint}`;
    return new HostError('auth-required', message, { cause: error, authMethods: agent.authMethods });
  }
  if (error instanceof WireError) return explainWire(method, error, agent);
  if (error instanceof AcpError) {
    return new HostError(error.code === 'not-supported' ? 'not-supported' : 'invalid-answer', error.message, {
      cause: error,
    });
  }
  if (error instanceof HostError) return error;
  return new HostError('failed', `${method}: ${String(error)}`, { cause: error });
}

async function explainWire(method: string, error: WireError, agent: AgentTrouble): Promise<HostError> {
  const name = JSON.stringify(agent.name);
  switch (error.code) {
    case 'timeout':
    case 'idle':
      return new HostError('request-timeout', `${method}: no answer from ${name} in time`, { cause: error });
    case 'closed':
    case 'stalled':
      if (agent.isEnding) return new HostError('closed', `${method}: ${name} was ended`, { cause: error });
      return gone('agent-exited', `${method} to ${name}`, error, agent);
    case 'overloaded':
    case 'not-serializable':
      return new HostError('failed', error.message, { cause: error });
    case 'too-large':
    case 'invalid-message':
      return new HostError('invalid-answer', error.message, { cause: error });
  }
}

/** What is known about a start that failed. */
export interface StartTrouble {
  readonly startTimeoutMs: number;
  /** What its processes did when the time was over. */
  readonly load?: ProcessLoad;
  readonly signal?: AbortSignal;
}

/** Why the agent did not start; it has been ended by now. */
export async function explainStart(
  error: unknown,
  agent: AgentTrouble,
  { signal, startTimeoutMs, load }: StartTrouble,
): Promise<Error> {
  const start = `start ${JSON.stringify(agent.name)}`;
  const details = { cause: error, stderr: agent.stderrTail() };
  if (signal?.aborted === true) return new HostError('aborted', `${start}: aborted`, details);
  if (error instanceof WireError) {
    if (error.code === 'timeout') {
      return new HostError(
        'start-timeout',
        `${start}: no answer to initialize in ${startTimeoutMs} ms${load === undefined ? '' : `; its processes were ${load}`}`,
        details,
      );
    }
    return gone('start-failed', start, error, agent);
  }
  if (error instanceof AcpError) {
    const code = error.code === 'unsupported-version' ? 'unsupported-version' : 'invalid-answer';
    return new HostError(code, `${start}: ${error.message}`, details);
  }
  if (error instanceof RpcError && error.code !== acpCodes.authRequired) {
    return new HostError(
      'start-failed',
      `${start}: it refused initialize: ${toRefusalText(error)} (${error.code})`,
      details,
    );
  }
  return explain('initialize', error, agent);
}

async function gone(
  code: 'agent-exited' | 'start-failed',
  what: string,
  error: WireError,
  agent: AgentTrouble,
): Promise<HostError> {
  const exitStatus = await agent.ended;
  if (!agent.hasProcess) {
    const { message, error: reason } = await agent.closeReason;
    const httpStatus = unauthorizedStatus(reason);
    if (httpStatus !== undefined) {
      return new HostError('auth-required', `${what}: ${message}`, { cause: error, httpStatus });
    }
    return new HostError(code, `${what}: the connection ended: ${message}`, { cause: error });
  }
  const details = { cause: error, exitStatus, stderr: agent.stderrTail() };
  return new HostError(code, `${what}: the agent ${describeExit(exitStatus)}`, details);
}

function describeExit({ exitCode, signal }: ExitStatus): string {
  return signal === null ? `exited with status ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
}

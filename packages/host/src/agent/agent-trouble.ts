import { AcpError, acpCodes, type AuthMethod } from '@parley/acp';
import { RpcError, WireError, type CloseReason } from '@parley/wire';
import type { ExitStatus, ProcessLoad } from '@parley/workspace';
import { HostError } from '../host-error.ts';
import { toRefusalText } from './refusal-text.ts';
import { unauthorizedStatus } from './remote/unauthorized-status.ts';

/** How long the processor use of an agent is measured if it does not start, or open a session, in time. */
export const loadLookMs = 200;

/** Facts about the agent that explain why a request to it failed. */
export interface AgentTrouble {
  readonly name: string;
  readonly authMethods: readonly AuthMethod[];
  /** How to sign in, in addition to the agent's own report. */
  readonly signInHint: string | undefined;
  /** What to do where it fails because it runs as root. */
  readonly rootHint: string | undefined;
  readonly hasProcess: boolean;
  /**
   * Resolves to the exit status of its process, after everything it started has exited. Read only after its
   * connection has closed.
   */
  readonly ended: Promise<ExitStatus>;
  /** Why its connection ended. Asked for only when it has. */
  readonly closeReason: Promise<CloseReason>;
  /** Whether it was this side that ended it. */
  readonly isEnding: boolean;
  stderrTail(): string;
}

/**
 * Converts a failed request to an error of this package. An agent's own error stays an `RpcError`, except
 * "authentication required", which gets advice.
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
      const why = withRootHint(text, method, agent);
      return why === error.message ? error : new RpcError(error.code, why, error.data, { cause: error });
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

/** Facts about a failed start. */
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
      withRootHint(`${start}: it refused initialize: ${toRefusalText(error)} (${error.code})`, start, agent),
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
  const message = withRootHint(`${what}: the agent ${describeExit(exitStatus)}`, what, agent);
  return new HostError(code, message, details);
}

/** Adds what to do where an agent that does not run as root did not start, or opened no session. */
function withRootHint(message: string, what: string, { rootHint }: AgentTrouble): string {
  const isOpening = /^start |\bsession\/(?:new|load|resume|fork)\b/u.test(what);
  return rootHint === undefined || !isOpening ? message : `${message.replace(/\.$/u, '')}. ${rootHint}`;
}

function describeExit({ exitCode, signal }: ExitStatus): string {
  return signal === null ? `exited with status ${exitCode ?? 'unknown'}` : `was ended by ${signal}`;
}

import type { NewSessionRequest } from '@parley/acp';
import { RpcError, rpcCodes } from '@parley/wire';
import type { Environment } from '../environment.ts';
import { errorCode } from '../error-code.ts';
import type { Files } from '../files.ts';
import type { AgentLimits } from '../limits.ts';
import type { Model } from '../model/model.ts';
import { Session } from './session.ts';
import type { SessionNotice } from './session.ts';

/** What a new session is made of, beside the request. */
export interface SessionSetup {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly model: Model;
}

/** Makes a session; directories that cannot be used are the client's mistake, -32602. */
export async function openSession(request: NewSessionRequest, setup: SessionSetup): Promise<Session> {
  const { environment, limits, model } = setup;
  const files = await openDirectories(environment, request);
  const notices: SessionNotice[] = model.notice === undefined ? [] : [{ severity: 'info', ...model.notice }];
  if (request.mcpServers.length > 0) notices.push(mcpNotice(request.mcpServers.length));
  const workplace = { cwd: request.cwd, files, environment, limits };
  return new Session(`sess_${environment.createId()}`, workplace, notices);
}

async function openDirectories(
  environment: Environment,
  { cwd, additionalDirectories = [] }: NewSessionRequest,
): Promise<Files> {
  try {
    return await environment.openFiles({ cwd, directories: additionalDirectories });
  } catch (error) {
    switch (errorCode(error)) {
      case 'not-absolute':
      case 'invalid-path':
      case 'not-found':
      case 'not-a-directory':
      case 'denied':
        throw new RpcError(rpcCodes.invalidParams, messageOf(error), undefined, { cause: error });
      default:
        throw error;
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function mcpNotice(count: number): SessionNotice {
  return {
    severity: 'warning',
    title: 'No MCP server was started',
    description: `The session was given ${String(count)}; this agent does not connect to MCP servers.`,
  };
}

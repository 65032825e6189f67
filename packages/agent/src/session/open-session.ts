import type { McpServer } from '@parley/acp';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { Environment } from '../environment.ts';
import type { Files } from '../files.ts';
import { Jobs } from '../job/jobs.ts';
import type { AgentLimits } from '../limits.ts';
import { SessionServers } from '../mcp/session-servers.ts';
import type { Models } from '../model/models.ts';
import { rulesText } from '../permission/decide.ts';
import { toSearchableFiles } from '../permission/searchable-files.ts';
import type { SessionPermissions } from '../permission/session-permissions.ts';
import { createDirectRunner } from '../tools/command/direct-runner.ts';
import type { SessionRecorder } from './record/session-recorder.ts';
import type { SessionModel } from './session-model.ts';
import type { SessionNotice } from './session-notice.ts';
import { Session, type SessionHistory } from './session.ts';

/** Options that all sessions of a connection share. */
export interface SessionSetup {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly models: Models;
  /** Returns the rules that apply in a folder. @default none */
  readonly rules?: (cwd: string) => Promise<readonly ConfiguredRule[]>;
}

/** The parts of one session: from the request, and from its stored state. */
export interface SessionParts {
  readonly id: string;
  /** The working directory as the client names it. */
  readonly cwd: string;
  readonly files: Files;
  readonly model: SessionModel;
  readonly permissions: SessionPermissions;
  readonly mcpServers: readonly McpServer[];
  readonly recorder: SessionRecorder;
  readonly notices?: readonly SessionNotice[];
  /** Absent when it is new. */
  readonly history?: SessionHistory;
}

/** Makes a session, new or not. */
export function openSession(parts: SessionParts, { environment, limits }: SessionSetup): Session {
  const { id, cwd, files, model, permissions, mcpServers, recorder, history } = parts;
  const notices: SessionNotice[] = [
    ...model.notices.map((notice) => ({ severity: 'warning', ...notice }) as const),
    ...(parts.notices ?? []),
  ];
  // Shown once a session.
  const { notice } = model.current;
  if (notice !== undefined && history?.hasTurns !== true) notices.push({ severity: 'info', ...notice });
  const servers = new SessionServers(mcpServers, { environment, limits, cwd: files.cwd });
  const commands = createDirectRunner(environment, limits);
  const jobs = new Jobs({ environment, limits, cwd: files.cwd, opening: history?.opening ?? 0 });
  const workplace = {
    cwd,
    files: toSearchableFiles(files, permissions, environment),
    environment: withRuledFetch(environment, permissions),
    commands,
    jobs,
    limits,
  };
  return new Session(id, {
    workplace,
    servers,
    model,
    permissions,
    notices,
    recorder,
    ...(history !== undefined && { history }),
  });
}

/** The machine of a session, where no redirect leads to a host that a rule denies. */
function withRuledFetch(environment: Environment, permissions: SessionPermissions): Environment {
  const denialOf = (host: string): string | undefined => {
    const ruling = permissions.judge({ kind: 'fetch', tool: 'fetch', paths: [], host });
    if (ruling?.decision !== 'deny') return undefined;
    return `Not allowed: ${rulesText(ruling.rules)} applies`;
  };
  return { ...environment, fetchUrl: (request) => environment.fetchUrl({ ...request, denialOf }) };
}

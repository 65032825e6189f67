import type { McpServer } from '@parley/acp';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { Environment } from '../environment.ts';
import type { Files } from '../files.ts';
import { Jobs } from '../job/jobs.ts';
import type { AgentLimits } from '../limits.ts';
import { ConversationServers } from '../mcp/conversation-servers.ts';
import type { Models } from '../model/models.ts';
import type { ConversationPermissions } from '../permission/conversation-permissions.ts';
import { rulesText } from '../permission/decide.ts';
import { toSearchableFiles } from '../permission/searchable-files.ts';
import { createDirectRunner } from '../tools/command/direct-runner.ts';
import type { ConversationModel } from './conversation-model.ts';
import type { ConversationNotice } from './conversation-notice.ts';
import { Conversation, type ConversationHistory } from './conversation.ts';
import type { ConversationRecorder } from './record/conversation-recorder.ts';

/** Options that all conversations of a connection share. */
export interface ConversationSetup {
  readonly environment: Environment;
  readonly limits: AgentLimits;
  readonly models: Models;
  /** Returns the rules that apply in a folder. @default none */
  readonly rules?: (cwd: string) => Promise<readonly ConfiguredRule[]>;
}

/** The parts of one conversation: from the request, and from its stored state. */
export interface ConversationParts {
  readonly id: string;
  /** The working directory as the client names it. */
  readonly cwd: string;
  readonly files: Files;
  readonly model: ConversationModel;
  readonly permissions: ConversationPermissions;
  readonly mcpServers: readonly McpServer[];
  readonly recorder: ConversationRecorder;
  readonly notices?: readonly ConversationNotice[];
  /** Absent when it is new. */
  readonly history?: ConversationHistory;
}

/** Makes a conversation, new or not. */
export function openConversation(
  parts: ConversationParts,
  { environment, limits }: ConversationSetup,
): Conversation {
  const { id, cwd, files, model, permissions, mcpServers, recorder, history } = parts;
  const notices: ConversationNotice[] = [
    ...model.notices.map((notice) => ({ severity: 'warning', ...notice }) as const),
    ...(parts.notices ?? []),
  ];
  // Shown once a conversation.
  const { notice } = model.current;
  if (notice !== undefined && history?.hasTurns !== true) notices.push({ severity: 'info', ...notice });
  const servers = new ConversationServers(mcpServers, { environment, limits, cwd: files.cwd });
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
  return new Conversation(id, {
    workplace,
    servers,
    model,
    permissions,
    notices,
    recorder,
    ...(history !== undefined && { history }),
  });
}

/** The machine of a conversation, where no redirect leads to a host that a rule denies. */
function withRuledFetch(environment: Environment, permissions: ConversationPermissions): Environment {
  const denialOf = (host: string): string | undefined => {
    const ruling = permissions.judge({ kind: 'fetch', tool: 'fetch', paths: [], host });
    if (ruling?.decision !== 'deny') return undefined;
    return `Not allowed: ${rulesText(ruling.rules)} applies`;
  };
  return { ...environment, fetchUrl: (request) => environment.fetchUrl({ ...request, denialOf }) };
}

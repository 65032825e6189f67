import type { AgentInfo } from '../../agent-info.ts';
import { RequestError } from '../request-error.ts';
import type { SecretVault } from '../secret-vault.ts';
import type { TurnStarted } from '../session/aap-session-record.ts';
import type { RunSettings } from '../turn/run-session.ts';
import { openOptions } from './stored-config.ts';

/**
 * The agent's options with their defaults, and its tools, as a run is to have them.
 *
 * @throws {RequestError} `secret_needed`: one cannot be opened any more.
 */
export async function openSettings(
  { agent, tools = [] }: Pick<TurnStarted, 'agent' | 'tools'>,
  { info, vault }: { readonly info: AgentInfo; readonly vault: SecretVault },
): Promise<RunSettings> {
  const { values, lost } = await openOptions(agent.options, vault);
  if (lost.length > 0) {
    throw new RequestError(
      409,
      'secret_needed',
      `agent.options: this server cannot decrypt ${lost.join(', ')}, which was stored with another key; send it again, or give all servers of the session the same key`,
      { details: { options: lost } },
    );
  }
  const defaults = Object.fromEntries((info.options ?? []).map((option) => [option.name, option.default]));
  return {
    options: { ...defaults, ...values },
    serverTools: new Map((agent.tools ?? []).map((tool) => [tool.name, tool])),
    clientTools: tools,
    secrets: Object.entries(agent.options ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [] : [values[name] ?? ''],
    ),
  };
}

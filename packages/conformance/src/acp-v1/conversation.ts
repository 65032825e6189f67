import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentProcess } from './agent-process.ts';
import { textPrompt } from './check-kit.ts';
import type { CheckKit, CheckedSession } from './check-kit.ts';
import { listAt } from './json-value.ts';

/** An agent that was talked with and has exited: all it ever wrote is there. */
export interface Conversation {
  readonly agent: AgentProcess;
  readonly session: CheckedSession;
}

/**
 * The ordinary things, each where the agent declares it: a prompt with tools, settings, lists, an unknown method, the
 * session loaded, resumed and closed. Then the agent is ended.
 *
 * @param before Stands before the prompt.
 */
export async function wholeConversation(kit: CheckKit, before = ''): Promise<Conversation> {
  const { agent, capabilities } = await kit.open();
  const session = await kit.openSession(agent);
  const { sessionId, cwd, opened } = session;
  await agent.request('session/prompt', textPrompt(session, before + kit.prompts.plain));
  await agent.request('session/prompt', textPrompt(session, before + kit.prompts.work));
  await agent.ask('_parley.check/unknown', {});
  const modeId = valueAt(opened, 'modes', 'currentModeId');
  if (modeId !== undefined) await agent.ask('session/set_mode', { sessionId, modeId });
  const [option] = listAt(opened, 'configOptions');
  if (option !== undefined) {
    const [configId, value] = [valueAt(option, 'id'), valueAt(option, 'currentValue')];
    await agent.ask('session/set_config_option', { sessionId, configId, value });
  }
  const known = { sessionId, cwd, mcpServers: [] };
  if (valueAt(capabilities, 'loadSession') === true) await agent.ask('session/load', known);
  if (declares(capabilities, 'resume')) await agent.ask('session/resume', known);
  if (declares(capabilities, 'list')) await agent.ask('session/list', {});
  if (declares(capabilities, 'close')) await agent.ask('session/close', { sessionId });
  await agent.end();
  return { agent, session };
}

/** Whether the agent declares this capability of its sessions. */
export function declares(capabilities: unknown, name: string): boolean {
  return isJsonObject(valueAt(capabilities, 'sessionCapabilities', name));
}

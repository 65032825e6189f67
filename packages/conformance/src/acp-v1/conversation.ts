import { isJsonObject, valueAt } from '@parley/wire';
import { type CheckKit, type OpenedAgent, textPrompt } from './check-kit.ts';
import type { CheckedAgent } from './checked-agent.ts';
import { fullCapabilities, fullClient } from './client-services.ts';
import { listAt } from './json-value.ts';

/** An ordinary conversation, with all that the agent wrote until it ended. */
export interface OrdinaryConversation {
  readonly agent: CheckedAgent;
  /** The sessions that were opened. */
  readonly sessionIds: ReadonlySet<unknown>;
  /** The result of `session/new`. */
  readonly opened: unknown;
}

/** The capabilities of the client: none, all stable ones except sub-agents, or only sub-agents. */
export type CheckClient = 'least' | 'full' | 'subagents';

/** How far an agent can be used. */
export type Reach = 'start' | 'initialize' | 'session' | 'turn';

/**
 * The ordinary things, each where the agent offers it: a prompt with tools, settings, lists, an unknown method, the
 * session loaded, resumed and closed. A client with sub-agents only sends a prompt that asks for one. Then the agent is ended.
 * A step without a response ends it earlier.
 */
export async function converse(
  kit: CheckKit,
  client: CheckClient,
  reach: Reach,
): Promise<OrdinaryConversation> {
  const { agent, capabilities } = await open(kit, client);
  const sessionIds = new Set<unknown>();
  let opened: unknown;
  try {
    if (reach === 'initialize') return { agent, sessionIds, opened };
    const session = await kit.openSession(agent);
    opened = session.opened;
    sessionIds.add(session.sessionId);
    if (client === 'subagents') {
      await agent.ask('session/prompt', textPrompt(session, kit.prompts.delegate));
    } else {
      await exchange(agent, session, { kit, capabilities, hasTurns: reach === 'turn' });
      await agent.ask('_parley.check/unknown', {});
    }
  } catch {
    // What came until then is judged; that something did not come is what other checks find.
  } finally {
    await agent.end();
  }
  return { agent, sessionIds, opened };
}

function open(kit: CheckKit, client: CheckClient): Promise<OpenedAgent> {
  switch (client) {
    case 'least':
      return kit.openAs();
    case 'full':
      return kit.openAs(fullCapabilities, fullClient());
    case 'subagents':
      return kit.openAs({ subagents: {} });
  }
}

async function exchange(
  agent: CheckedAgent,
  { sessionId, cwd, opened }: { readonly sessionId: string; readonly cwd: string; readonly opened: unknown },
  options: { readonly kit: CheckKit; readonly capabilities: unknown; readonly hasTurns: boolean },
): Promise<void> {
  const { kit, capabilities, hasTurns } = options;
  const ask = async (method: string, params: object): Promise<void> => {
    kit.limit.restart();
    await agent.ask(method, params);
  };
  if (hasTurns) {
    await ask('session/prompt', textPrompt({ sessionId }, `${unicodeText} ${kit.prompts.plain}`));
    await ask('session/prompt', textPrompt({ sessionId }, kit.prompts.work));
  }
  const modeId = valueAt(opened, 'modes', 'currentModeId');
  if (modeId !== undefined) await ask('session/set_mode', { sessionId, modeId });
  const [option] = listAt(opened, 'configOptions');
  if (option !== undefined) {
    const [configId, value] = [valueAt(option, 'id'), valueAt(option, 'currentValue')];
    const type = valueAt(option, 'type') === 'boolean' ? { type: 'boolean' } : {};
    await ask('session/set_config_option', { sessionId, configId, ...type, value });
  }
  const known = { sessionId, cwd, mcpServers: [] };
  if (valueAt(capabilities, 'loadSession') === true) await ask('session/load', known);
  if (declares(capabilities, 'resume')) await ask('session/resume', known);
  if (declares(capabilities, 'list')) await ask('session/list', {});
  if (declares(capabilities, 'close')) await ask('session/close', { sessionId });
}

/** Characters of two, three and four bytes. */
const unicodeText = 'Grüße, 你好 😀:';

/** Whether the agent declares this capability of its sessions. */
export function declares(capabilities: unknown, name: string): boolean {
  return isJsonObject(valueAt(capabilities, 'sessionCapabilities', name));
}

/** The updates of a conversation of these kinds. */
export function updatesOf({ agent }: OrdinaryConversation, ...kinds: readonly string[]): readonly unknown[] {
  return agent.updates
    .map((params) => valueAt(params, 'update'))
    .filter((update) => kinds.includes(String(valueAt(update, 'sessionUpdate'))));
}

import { filesStore, SharedEventLogs } from '@parley/host';
import { onTestFinished } from 'vitest';
import { createBridgedAgent, type BridgedAgent, type BridgeOptions } from '../src/index.ts';
import { folder, scriptedAgent, type ScriptedAgent, type ScriptedAgentOptions } from './scripted-agent.ts';

/** A bridge to a scripted agent, with the requests that the agent received. */
export interface Bridged extends ScriptedAgent {
  readonly agent: BridgedAgent;
}

/** Puts a bridge before a scripted agent, with an empty folder to work in; it is closed after the test. */
export async function bridge(
  script: ScriptedAgentOptions,
  options: Partial<BridgeOptions> = {},
): Promise<Bridged> {
  const scripted = scriptedAgent(script);
  const agent = createBridgedAgent({
    spec: scripted.spec,
    clientInfo: { name: 'test', version: '1.0.0' },
    workspaces: [await folder()],
    eventLogs: new SharedEventLogs({ store: filesStore(await folder()), program: 'test 1.0.0' }),
    ...options,
  });
  onTestFinished(() => agent.close());
  return { ...scripted, agent };
}

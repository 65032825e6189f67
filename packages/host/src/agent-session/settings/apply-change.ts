import type { AgentPeer, CallOptions } from '@parley/acp';
import type { Change } from './choose-setting.ts';
import { withMode, withModel, type Settings } from './settings.ts';

/** The extension with which Agentao's agents take a model by any name. */
export const agentaoSetModel = '_agentao.cn/set_model';

/** The session that is changed. */
export interface ChangeTarget {
  readonly peer: AgentPeer;
  readonly sessionId: string;
  readonly options: CallOptions;
}

/** The method that makes a change. */
export function methodOf(change: Change): string {
  switch (change.by) {
    case 'option':
      return 'session/set_config_option';
    case 'mode':
      return 'session/set_mode';
    case 'agentao-model':
      return agentaoSetModel;
    case 'legacy-model':
      return 'session/set_model';
  }
}

/** Sends the change, and returns its effect on the current settings. */
export async function applyChange(
  change: Change,
  target: ChangeTarget,
): Promise<(now: Settings) => Settings> {
  const { peer, sessionId, options } = target;
  switch (change.by) {
    case 'option': {
      const { configId, value } = change;
      const params =
        typeof value === 'boolean'
          ? ({ sessionId, configId, type: 'boolean', value } as const)
          : { sessionId, configId, value };
      const { configOptions } = await peer.request('session/set_config_option', params, options);
      return (now) => ({ ...now, configOptions });
    }
    case 'mode': {
      const { modeId } = change;
      await peer.request('session/set_mode', { sessionId, modeId }, options);
      return (now) => withMode(now, modeId);
    }
    case 'agentao-model':
      await peer.requestExtension(agentaoSetModel, { sessionId, model: change.model }, options);
      return (now) => now;
    case 'legacy-model':
      // It was in the protocol once, and is in no schema any more.
      await peer.requestExtension(methodOf(change), { sessionId, modelId: change.modelId }, options);
      return (now) => withModel(now, change.modelId);
  }
}

import { isJsonObject, valueAt } from '@parley/wire';
import { type AgentDefect, result, updating } from './change-agent.fixture.ts';

/** Modes and config options. */
export const settingsDefects: readonly AgentDefect[] = [
  {
    what: 'is in a mode that it does not have',
    fails: ['ACP-MODES-001'],
    change: result('session/new', (right) => {
      const modes = right['modes'];
      return { ...right, modes: { ...(isJsonObject(modes) ? modes : {}), currentModeId: 'z' } };
    }),
  },
  {
    what: 'reports another mode',
    fails: ['ACP-MODES-002'],
    change: updating('current_mode_update', (update) => ({ ...update, currentModeId: 'a' })),
  },
  {
    what: 'accepts no mode at all',
    fails: ['ACP-MODES-101'],
    change: (agent) => {
      const set = agent.methods['session/set_mode'];
      agent.methods['session/set_mode'] = (params) => (params['modeId'] === undefined ? {} : set?.(params));
    },
  },
  {
    what: 'has an option with a value that it does not offer',
    fails: ['ACP-CONFIG-001'],
    change: result('session/new', (right) => {
      const options: readonly unknown[] = Array.isArray(right['configOptions']) ? right['configOptions'] : [];
      const wrong = options.map((option) =>
        valueAt(option, 'id') === 'model' && isJsonObject(option) ? { ...option, currentValue: 'z' } : option,
      );
      return { ...right, configOptions: wrong };
    }),
  },
  {
    what: 'returns only the option that was set',
    fails: ['ACP-CONFIG-002'],
    change: result('session/set_config_option', (right, { configId }) => {
      const options: readonly unknown[] = Array.isArray(right['configOptions']) ? right['configOptions'] : [];
      return { configOptions: options.filter((option) => valueAt(option, 'id') === configId) };
    }),
  },
  {
    what: 'sends a boolean option to a client that did not declare it',
    fails: ['ACP-CONFIG-003'],
    change: (agent) => {
      const right = agent.options.bind(agent);
      agent.options = (tone) => [...right(tone), { id: 'b', name: 'B', type: 'boolean', currentValue: true }];
    },
  },
  {
    what: 'accepts any value of an option',
    fails: ['ACP-CONFIG-101'],
    change: (agent) => {
      const set = agent.methods['session/set_config_option'];
      agent.methods['session/set_config_option'] = (params) =>
        params['value'] === 'parley-check-unknown'
          ? { configOptions: agent.options('plain') }
          : set?.(params);
    },
  },
  {
    what: 'sends an update with half of the options',
    fails: ['ACP-CONFIG-102'],
    change: updating('config_option_update', (update) => ({ ...update, configOptions: [] })),
  },
];

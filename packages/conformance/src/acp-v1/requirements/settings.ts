import { isJsonObject, valueAt } from '@parley/wire';
import { CheckError, demand } from '../check-error.ts';
import { listAt, shown } from '../json-value.ts';
import { faultOf } from '../judge-message.ts';
import type { AgentRequirement } from '../requirement.ts';
import { openOne } from './prompt.ts';

/** Modes and config options. */
export const settings: readonly AgentRequirement[] = [
  {
    id: 'ACP-MODES-001',
    tier: 'capability',
    title: 'the mode of a session is one of those it has',
    async run(kit) {
      const { session } = await openOne(kit);
      const { current, ids } = modesOf(session.opened);
      demand(ids.includes(current), `the mode is ${shown(current)}, of ${shown(ids)}`);
      demand(new Set(ids).size === ids.length, `modes share an id: ${shown(ids)}`);
    },
  },
  {
    id: 'ACP-MODES-002',
    tier: 'capability',
    title: 'session/set_mode takes another mode, and an update names it as currentModeId',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      const { current, ids } = modesOf(session.opened);
      const modeId = ids.find((id) => id !== current) ?? current;
      await agent.request('session/set_mode', { sessionId: session.sessionId, modeId });
      await agent.end();
      for (const params of agent.updates) {
        if (valueAt(params, 'update', 'sessionUpdate') !== 'current_mode_update') continue;
        const reported = valueAt(params, 'update', 'currentModeId');
        demand(
          reported === modeId,
          `the mode was set to ${shown(modeId)}, and reported as ${shown(valueAt(params, 'update'))}`,
        );
      }
    },
  },
  {
    id: 'ACP-CONFIG-001',
    tier: 'capability',
    title: 'each option has a value that it offers',
    async run(kit) {
      const { session } = await openOne(kit);
      const options = optionsOf(session.opened);
      const ids = options.map((option) => valueAt(option, 'id'));
      demand(new Set(ids).size === ids.length, `options share an id: ${shown(ids)}`);
      for (const option of options) demandValidValue(option);
    },
  },
  {
    id: 'ACP-CONFIG-002',
    tier: 'capability',
    title: 'session/set_config_option answers with all options, and the new value',
    async run(kit) {
      const { agent, session } = await openOne(kit);
      const options = optionsOf(session.opened);
      const option = options.find((each) => valuesOf(each).length > 1) ?? options[0];
      const [configId, before] = [valueAt(option, 'id'), valueAt(option, 'currentValue')];
      const value = valuesOf(option).find((each) => each !== before) ?? before;
      const params = { sessionId: session.sessionId, configId, value };
      const { message, ...request } = await agent.ask('session/set_config_option', params);
      const fault = faultOf(message, request);
      demand(
        fault === undefined && isJsonObject(message['result']),
        fault ?? `it was answered ${shown(message)}`,
      );
      const after = listAt(message['result'], 'configOptions');
      const now = after.find((each) => valueAt(each, 'id') === configId);
      demand(
        valueAt(now, 'currentValue') === value,
        `${shown(configId)} was set to ${shown(value)}: ${shown(now)}`,
      );
      for (const each of options) {
        const id = valueAt(each, 'id');
        // What another option offers may depend on this one; a list without it is not whole all the same.
        demand(
          after.some((other) => valueAt(other, 'id') === id),
          `the answer has no option ${shown(id)}`,
        );
      }
    },
  },
  {
    id: 'ACP-CONFIG-003',
    tier: 'mandatory',
    title: 'a client that did not declare them gets no options of yes or no',
    async run(kit) {
      const { session } = await openOne(kit);
      const option = listAt(session.opened, 'configOptions').find(
        (each) => valueAt(each, 'type') === 'boolean',
      );
      demand(option === undefined, `session/new has the option ${shown(option)}`);
    },
  },
];

function modesOf(opened: unknown): { readonly current: unknown; readonly ids: readonly unknown[] } {
  const modes = valueAt(opened, 'modes');
  if (!isJsonObject(modes)) throw new CheckError('not-applicable', 'session/new gave no modes');
  return {
    current: modes['currentModeId'],
    ids: listAt(modes, 'availableModes').map((mode) => valueAt(mode, 'id')),
  };
}

function optionsOf(opened: unknown): readonly unknown[] {
  const options = listAt(opened, 'configOptions');
  if (options.length === 0) throw new CheckError('not-applicable', 'session/new gave no configOptions');
  return options;
}

function demandValidValue(option: unknown): void {
  const value = valueAt(option, 'currentValue');
  const isValid =
    valueAt(option, 'type') === 'boolean' ? typeof value === 'boolean' : valuesOf(option).includes(value);
  demand(isValid, `the option ${shown(valueAt(option, 'id'))} has the value ${shown(value)}`);
}

/** The values of a select, which may stand in groups. */
function valuesOf(option: unknown): readonly unknown[] {
  return listAt(option, 'options').flatMap((each) =>
    Array.isArray(valueAt(each, 'options')) ? valuesOf(each) : [valueAt(each, 'value')],
  );
}

import { isJsonObject, valueAt } from '@parley/wire';
import type { AgentRequirement } from '../agent-requirement.ts';
import { demand, requireOffered } from '../check-error.ts';
import type { CheckedAgent } from '../checked-agent.ts';
import { updatesOf } from '../conversation.ts';
import { listAt, shown } from '../json-value.ts';
import { faultOf } from '../judge-message.ts';
import { specification } from '../requirement.ts';

const modes = specification('session-modes');
const options = specification('session-config-options');

/** Modes and config options. */
export const settings: readonly AgentRequirement[] = [
  {
    id: 'ACP-MODES-001',
    level: 'required',
    rule: 'The current mode of a session is one of its modes, and each mode has an id of its own.',
    source: modes,
    needs: 'session',
    async run(kit) {
      const { session } = await kit.openOne();
      const { current, ids } = modesOf(session.opened);
      demand(ids.includes(current), `the mode is ${shown(current)}, of ${shown(ids)}`);
      demand(new Set(ids).size === ids.length, `modes share an id: ${shown(ids)}`);
    },
  },
  {
    id: 'ACP-MODES-002',
    level: 'required',
    rule: 'session/set_mode selects another mode, and an update names it in currentModeId.',
    source: modes,
    needs: 'session',
    isAlone: true,
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const { current, ids } = modesOf(session.opened);
      const others = ids.filter((id) => id !== current);
      const modeId = await selectOne(agent, session.sessionId, others.length === 0 ? [current] : others);
      await agent.end();
      for (const params of agent.updates) {
        const update = valueAt(params, 'update');
        if (valueAt(update, 'sessionUpdate') !== 'current_mode_update') continue;
        demand(
          valueAt(update, 'currentModeId') === modeId,
          `the mode was set to ${shown(modeId)}, and reported as ${shown(update)}`,
        );
      }
    },
  },
  {
    id: 'ACP-MODES-101',
    level: 'recommended',
    rule: 'session/set_mode without a mode is answered with an error.',
    source: specification('error'),
    needs: 'session',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      modesOf(session.opened);
      const { message } = await agent.ask('session/set_mode', { sessionId: session.sessionId });
      demand(isJsonObject(message['error']), 'the request without modeId was accepted');
    },
  },
  {
    id: 'ACP-CONFIG-001',
    level: 'required',
    rule: 'The value of each config option is one that the option offers, and each option has an id of its own.',
    source: options,
    needs: 'session',
    async run(kit) {
      const { session } = await kit.openOne();
      const offered = optionsOf(session.opened);
      const ids = offered.map((option) => valueAt(option, 'id'));
      demand(new Set(ids).size === ids.length, `options share an id: ${shown(ids)}`);
      for (const option of offered) demandValidValue(option);
    },
  },
  {
    id: 'ACP-CONFIG-002',
    level: 'required',
    rule: 'session/set_config_option returns all options, with the new value.',
    source: options,
    needs: 'session',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const offered = optionsOf(session.opened);
      const option = offered.find((each) => valuesOf(each).length > 1) ?? offered[0];
      const [configId, before] = [valueAt(option, 'id'), valueAt(option, 'currentValue')];
      const value = valuesOf(option).find((each) => each !== before) ?? before;
      const params = { sessionId: session.sessionId, configId, value };
      const { message, ...request } = await agent.ask('session/set_config_option', params);
      const fault = faultOf(message, request);
      demand(fault === undefined && isJsonObject(message['result']), fault ?? 'there is no result');
      const after = listAt(message['result'], 'configOptions');
      const now = after.find((each) => valueAt(each, 'id') === configId);
      demand(
        valueAt(now, 'currentValue') === value,
        `${shown(configId)} was set to ${shown(value)}: ${shown(now)}`,
      );
      for (const each of offered) {
        const id = valueAt(each, 'id');
        // What another option offers may depend on this one; a list without it is incomplete all the same.
        demand(
          after.some((other) => valueAt(other, 'id') === id),
          `the result has no option ${shown(id)}`,
        );
      }
    },
  },
  {
    id: 'ACP-CONFIG-003',
    level: 'required',
    rule: 'A client that did not declare them gets no boolean options.',
    source: options,
    needs: 'session',
    async run(kit) {
      const { session } = await kit.openOne();
      const option = listAt(session.opened, 'configOptions').find(
        (each) => valueAt(each, 'type') === 'boolean',
      );
      demand(option === undefined, `session/new has the option ${shown(option)}`);
    },
  },
  {
    id: 'ACP-CONFIG-101',
    level: 'recommended',
    rule: 'session/set_config_option with an unknown option or value is answered with an error.',
    source: options,
    needs: 'session',
    async run(kit) {
      const { agent, session } = await kit.openOne();
      const option = optionsOf(session.opened).find((each) => valueAt(each, 'type') === 'select');
      const configIds = ['parley-check-unknown', ...(option === undefined ? [] : [valueAt(option, 'id')])];
      for (const configId of configIds) {
        const params = { sessionId: session.sessionId, configId, value: 'parley-check-unknown' };
        const { message } = await agent.ask('session/set_config_option', params);
        demand(isJsonObject(message['error']), `an unknown value of ${shown(configId)} was accepted`);
      }
    },
  },
  {
    id: 'ACP-CONFIG-102',
    level: 'required',
    rule: 'An update of the config options has all of them.',
    source: options,
    needs: 'session',
    judge(conversation) {
      const ids = optionsOf(conversation.opened).map((option) => valueAt(option, 'id'));
      const updates = updatesOf(conversation, 'config_option_update');
      requireOffered(updates.length > 0, 'the agent sent no config_option_update');
      for (const received of updates) {
        const now = new Set(listAt(received, 'configOptions').map((option) => valueAt(option, 'id')));
        const lost = ids.find((id) => !now.has(id));
        demand(lost === undefined, `the update has no option ${shown(lost)}`, { received });
      }
    },
  },
];

/** Selects the first mode that the agent accepts. It may refuse some: Gemini CLI does in folders that it does not trust. */
async function selectOne(
  agent: CheckedAgent,
  sessionId: string,
  modeIds: readonly unknown[],
): Promise<unknown> {
  for (const modeId of modeIds.slice(0, -1)) {
    const { message } = await agent.ask('session/set_mode', { sessionId, modeId });
    if (message['error'] === undefined) return modeId;
  }
  const last = modeIds.at(-1);
  await agent.request('session/set_mode', { sessionId, modeId: last });
  return last;
}

function modesOf(opened: unknown): { readonly current: unknown; readonly ids: readonly unknown[] } {
  const offered = valueAt(opened, 'modes');
  requireOffered(isJsonObject(offered), 'session/new returns no modes');
  return {
    current: offered['currentModeId'],
    ids: listAt(offered, 'availableModes').map((mode) => valueAt(mode, 'id')),
  };
}

function optionsOf(opened: unknown): readonly unknown[] {
  const offered = listAt(opened, 'configOptions');
  requireOffered(offered.length > 0, 'session/new returns no configOptions');
  return offered;
}

function demandValidValue(option: unknown): void {
  const value = valueAt(option, 'currentValue');
  const isValid =
    valueAt(option, 'type') === 'boolean' ? typeof value === 'boolean' : valuesOf(option).includes(value);
  demand(isValid, `the option ${shown(valueAt(option, 'id'))} has the value ${shown(value)}`);
}

/** The values of a select, which may be in groups. */
function valuesOf(option: unknown): readonly unknown[] {
  return listAt(option, 'options').flatMap((each) =>
    Array.isArray(valueAt(each, 'options')) ? valuesOf(each) : [valueAt(each, 'value')],
  );
}

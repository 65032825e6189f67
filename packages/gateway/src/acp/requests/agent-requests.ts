import { invalidRequest } from '@parley/acp';
import { agentMethods, type SignInParams } from '@parley/host/hub';
import type { HubModels } from '../../hub/agents/hub-models.ts';
import type { HubSessions } from '../../hub/sessions/hub-sessions.ts';
import type { HubCall, HubRequest } from '../hub-call.ts';
import {
  parseAgentParams,
  parseConnectModelParams,
  parseModelProviderParams,
  parseNewAgent,
  parseRouteProviderParams,
  parseSignInInput,
  parseSignInParams,
  parseSignInTerminal,
  parseSignInTerminalParams,
} from '../params/agent-params.ts';

/** Requests about agents and the models of Parley's own agent, by method. */
export const agentRequests: ReadonlyMap<string, HubRequest> = new Map<string, HubRequest>([
  [agentMethods.find, { use: 'connection', run: done((_, { table }) => table.agents.look()) }],
  [
    agentMethods.install,
    administering(done((params, { table }) => table.agents.install(parseAgentParams(params).agent))),
  ],
  [
    agentMethods.cancelInstall,
    administering(done((params, { table }) => table.agents.cancelInstall(parseAgentParams(params).agent))),
  ],
  [agentMethods.add, administering(done((params, { table }) => table.agents.add(parseNewAgent(params))))],
  [
    agentMethods.remove,
    administering(done((params, { table }) => table.agents.remove(parseAgentParams(params).agent))),
  ],
  [
    agentMethods.routeProvider,
    administering(
      done(async (params, { table }) => {
        const wanted = parseRouteProviderParams(params);
        await table.agents.routeProvider(wanted);
        await table.renew(wanted.agent);
      }),
    ),
  ],
  [
    agentMethods.signIn,
    administering(done((params, { table }) => signInTo(table, parseSignInParams(params)))),
  ],
  [
    agentMethods.openSignIn,
    administering((params, { terminals }) => terminals.open(parseSignInTerminalParams(params))),
  ],
  [
    agentMethods.typeSignIn,
    administering(done((params, { terminals }) => terminals.type(parseSignInInput(params)))),
  ],
  [
    agentMethods.closeSignIn,
    administering(done((params, { terminals }) => terminals.close(parseSignInTerminal(params)))),
  ],
  [agentMethods.models, administering(async (_, call) => await modelsOf(call).list())],
  [
    agentMethods.connectModel,
    administering(async (params, call) => {
      const connected = await modelsOf(call).connect(parseConnectModelParams(params), call.signal);
      await renewOwn(call);
      return connected;
    }),
  ],
  [
    agentMethods.disconnectModel,
    administering(async (params, call) => {
      const left = await modelsOf(call).disconnect(parseModelProviderParams(params).provider);
      await renewOwn(call);
      return left;
    }),
  ],
]);

type Run = HubRequest['run'];

function administering(run: Run): HubRequest {
  return { use: 'administer', run };
}

/** A request that is answered with an empty object. */
function done(run: (params: unknown, call: HubCall) => Promise<void> | void): Run {
  return async (params, call) => {
    await run(params, call);
    return {};
  };
}

function modelsOf({ table }: HubCall): HubModels {
  const { models } = table.options;
  if (models === undefined) throw invalidRequest('this server does not support connecting models');
  return models;
}

/** Signs in to an agent; its idle processes end, so that the next ones know of it. @throws {RpcError} @throws {HostError} */
export async function signInTo(table: HubSessions, params: SignInParams): Promise<void> {
  await table.agents.signIn(params);
  await table.renew(params.agent);
}

/** Restarts idle processes of Parley's own agent with the new models, and notifies clients of the new options. */
async function renewOwn({ table }: HubCall): Promise<void> {
  for (const { name, place } of table.agents.all) {
    if (place !== 'own') continue;
    await table.renew(name);
    await table.agents.probe(name);
  }
}

import type { HostContext } from '../host-context.ts';
import { Answers } from '../permission/remembered/answers.ts';
import type { AgentClients } from './agent-clients.ts';
import type { AgentOptions } from './agent-options.ts';

/** What all parts that serve one agent have in common, from how the agent was opened. */
export function createHostContext(
  agentName: string,
  {
    onEvent,
    onOutput,
    policy,
    answersFile,
    store,
    checkpoints,
    clients,
    sandbox,
    network,
    interact = {},
  }: AgentOptions,
): HostContext {
  const diagnose: HostContext['diagnose'] = (level, code, message) => {
    void onEvent({ type: 'diagnostic', level, code, message });
  };
  return {
    agentName,
    policy,
    answers: new Answers({
      onFailure: (message) => diagnose('warning', 'answers', message),
      ...(answersFile !== undefined && { file: answersFile }),
      ...(policy.parents !== undefined && { delegate: { agent: agentName, parents: policy.parents } }),
    }),
    interact,
    ...(store !== undefined && { store }),
    ...(checkpoints !== undefined && { checkpoints }),
    ...(clients !== undefined && { clients: sandbox === undefined ? clients : withoutServices(clients) }),
    ...(sandbox !== undefined && { sandbox }),
    ...(network !== undefined && { network }),
    ...(onOutput !== undefined && { onOutput }),
    emit: (event) => {
      checkpoints?.note(event);
      void onEvent(event);
    },
    deliver: (event) => {
      checkpoints?.note(event);
      return onEvent(event);
    },
    diagnose,
  };
}

/** The clients without their files and terminals, which no sandbox holds. */
function withoutServices(clients: AgentClients): AgentClients {
  return {
    serving: () => undefined,
    request: (method, params, signal) => clients.request(method, params, signal),
    notify: (method, params) => {
      clients.notify(method, params);
    },
  };
}

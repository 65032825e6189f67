import type { HostContext } from '../host-context.ts';
import { Answers } from '../permission/remembered/answers.ts';
import type { AgentOptions } from './agent-options.ts';

/** What all parts that serve one agent have in common, from how the agent was opened. */
export function createHostContext(
  agentName: string,
  { onEvent, onOutput, policy, answersFile, store, checkpoints, clients, interact = {} }: AgentOptions,
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
    }),
    interact,
    ...(store !== undefined && { store }),
    ...(checkpoints !== undefined && { checkpoints }),
    ...(clients !== undefined && { clients }),
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

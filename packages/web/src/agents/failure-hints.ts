import type { AgentCard, HubAgent } from '@parley/host/hub';

/** Something to try when an agent could not be started. */
export type FailureHint = 'install' | 'command' | 'sign-in' | 'log' | 'again' | 'doctor';

/** What to try, the likeliest first. */
export function toFailureHints(agent: HubAgent, { failure = '', log }: AgentCard): FailureHint[] {
  const isMissing = /ENOENT|not found|no such file|cannot be found/iu.test(failure);
  const isSlow = /timeout|timed out|no answer|longer than/iu.test(failure);
  const wantsSignIn = agent.signIn === 'needed' || /auth|sign.?in|log.?in|api key|credential/iu.test(failure);
  return [
    ...(agent.place === 'available' ? (['install'] as const) : []),
    ...(isMissing && agent.place !== 'available' ? (['command'] as const) : []),
    ...(wantsSignIn ? (['sign-in'] as const) : []),
    ...(log.trim() === '' ? [] : (['log'] as const)),
    ...(isSlow ? (['again'] as const) : []),
    'doctor',
  ];
}

import { invalidParams } from '@parley/acp';
import { launchAgent, toSignInMethods, type AgentConnection, type AgentSpec } from '@parley/host';
import type { SignInParams } from '@parley/host/hub';
import type { ProbeOptions } from '../api/probe-card.ts';
import { openPassingFolder } from '../passing-folder.ts';

/**
 * Carries out a way to sign in to an agent that runs for no session. Whether it led in shows when it is started next.
 *
 * @throws {RpcError} There is no such way.
 * @throws {HostError} The agent did not start, or rejected the sign-in.
 */
export async function signInToAgent(
  spec: AgentSpec,
  { methodId, values = {} }: Omit<SignInParams, 'agent'>,
  { hub, limits, variables, signal: until }: ProbeOptions,
): Promise<void> {
  const signal = AbortSignal.any([until, AbortSignal.timeout(limits.signInMs)]);
  await using folder = await openPassingFolder(spec, hub.workspaces);
  const sandbox = await hub.sandboxFor?.({ spec, cwd: folder.path });
  const launch = (): Promise<AgentConnection> =>
    launchAgent(
      spec,
      { cwd: folder.path, env: variables.values, ...(sandbox !== undefined && { sandbox }) },
      {
        clientInfo: hub.info,
        policy: { approve: { level: 'none', given: true }, rules: [] },
        serves: { signInTerminal: true },
        startTimeoutMs: limits.probeMs,
        signal,
        onEvent: () => undefined,
      },
    );
  await using connection = await launch();
  const method = toSignInMethods(connection.authMethods, spec.signIn).find(({ id }) => id === methodId);
  switch (method?.kind) {
    case 'agent':
      await connection.authenticate(methodId, { signal });
      return;
    case 'variables': {
      const names = new Set(method.variables.map(({ name }) => name));
      variables.learn(
        Object.fromEntries(Object.entries(values).filter(([name, value]) => names.has(name) && value !== '')),
      );
      await connection.end();
      // Some agents look at a variable only when they are asked to; the next start shows whether it worked.
      await using renewed = await launch();
      await renewed.authenticate(methodId, { signal }).catch(() => undefined);
      return;
    }
    case 'terminal':
      // The user has run its command.
      return;
    case 'unknown':
    case undefined:
      throw invalidParams('methodId', 'a way to sign in that the agent offers and that is known here');
  }
}

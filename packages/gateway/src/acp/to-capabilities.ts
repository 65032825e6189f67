import type { AgentCapabilities } from '@parley/acp';
import { offersFork } from '@parley/host';
import { agentMethods, changesMethods, hubMethods, worktreeMethods } from '@parley/host/hub';

/**
 * The capabilities of the hub for sessions of an agent. Unknown capabilities are offered, and rejected on use if the
 * agent does not have them.
 */
export function toCapabilities(
  capabilities: AgentCapabilities | undefined,
  { bringsServers }: { readonly bringsServers: boolean },
): object {
  const { promptCapabilities = {}, mcpCapabilities = {} } = capabilities ?? {
    promptCapabilities: { image: true, audio: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
  };
  return {
    loadSession: true,
    promptCapabilities,
    mcpCapabilities: {
      http: bringsServers && mcpCapabilities.http === true,
      sse: bringsServers && mcpCapabilities.sse === true,
    },
    sessionCapabilities: {
      list: {},
      resume: {},
      close: {},
      delete: {},
      ...((capabilities === undefined || offersFork(capabilities)) && { fork: {} }),
      additionalDirectories: {},
    },
    // What the agent advertises passes through; beside it the hub's own methods.
    _meta: { ...capabilities?._meta, parley: advertised },
  };
}

/** The notifications of the hub. */
const notifications: ReadonlySet<string> = new Set<string>([
  hubMethods.update,
  hubMethods.events,
  hubMethods.frames,
  hubMethods.terminal,
  hubMethods.log,
  agentMethods.signInOutput,
]);

/** ACP v1, Extensibility: custom methods are advertised in `_meta`, below the name of their vendor. */
const advertised = Object.fromEntries(
  [hubMethods, changesMethods, worktreeMethods, agentMethods]
    .flatMap((methods): readonly string[] => Object.values(methods))
    .filter((method) => method.startsWith('_parley/') && !notifications.has(method))
    .map((method) => [method.slice('_parley/'.length), true]),
);

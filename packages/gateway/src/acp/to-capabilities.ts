import { advertise, type AgentCapabilities, type AuthMethod } from '@parley/acp';
import { hubMethods } from '@parley/host/hub';

/** What an agent said of itself when it was started last. */
export interface AgentOffer {
  readonly capabilities?: AgentCapabilities;
  readonly authMethods?: readonly AuthMethod[];
}

/** What the hub offers for sessions of an agent. What is not known of the agent yet is offered, and refused where it cannot. */
export function toCapabilities(
  { capabilities }: AgentOffer,
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
      fork: {},
      additionalDirectories: {},
    },
    // What the agent advertises passes through; beside it the hub's own methods.
    _meta: advertise(capabilities?._meta, new Map(requestNames.map((method) => [method, {}]))),
  };
}

const notifications: ReadonlySet<string> = new Set([
  hubMethods.news,
  hubMethods.events,
  hubMethods.frames,
  hubMethods.terminal,
  hubMethods.log,
]);

const requestNames = Object.values(hubMethods).filter(
  (method) => method.startsWith('_') && !notifications.has(method),
);

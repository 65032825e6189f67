import { approvesCommands } from '../sandbox/policy-inside.ts';
import {
  strictestChoice,
  type SandboxChoice,
  type SandboxHosts,
  type SandboxSettings,
} from '../sandbox/sandbox-settings.ts';
import type { SandboxWish, SessionRuntime } from '../session/session-runtime.ts';

type SandboxFor = NonNullable<SessionRuntime['sandboxFor']>;

/**
 * The sandbox of a delegate: as strict as its agent's own settings and as its parent's. Its agent's state folders and
 * required hosts stay accessible, because it could not work without them.
 */
export function sandboxOfDelegate(sandboxFor: SandboxFor, { launch, mode }: HoldingParent): SandboxFor {
  return async (wish) => {
    const settings = await sandboxFor({ ...wish, widest: strictestChoice([wish.widest, mode()]) });
    const above = launch === undefined ? undefined : await sandboxFor(launch);
    if (settings === undefined) return undefined;
    if (above === undefined) return { ...settings, autoApprove: false };
    return narrowed(settings, above, wish.spec.hosts ?? []);
  };
}

/** How the agent of a parent is started, and its sandbox. */
interface HoldingParent {
  /** @default it cannot be started here */
  readonly launch: SandboxWish | undefined;
  /** The current sandbox mode. */
  readonly mode: () => SandboxChoice;
}

function narrowed(own: SandboxSettings, above: SandboxSettings, needed: readonly string[]): SandboxSettings {
  return {
    ...own,
    write: own.write.filter((folder) => above.write.includes(folder)),
    read: own.read === 'all' ? above.read : readIn(own.read, above.read),
    hide: [...new Set([...own.hide, ...above.hide])],
    autoApprove: own.autoApprove === true && approvesCommands(above),
    network: networkIn(own.network, above.network, needed),
  };
}

function readIn(own: readonly string[], above: SandboxSettings['read']): readonly string[] {
  return above === 'all' ? own : own.filter((folder) => above.includes(folder));
}

function networkIn(own: SandboxHosts, above: SandboxHosts, needed: readonly string[]): SandboxHosts {
  if (own === 'off' || above === 'on') return own;
  const allowed = above === 'off' ? needed : [...above, ...needed];
  const hosts = own === 'on' ? allowed : own.filter((host) => allowed.includes(host));
  return hosts.length === 0 ? 'off' : [...new Set(hosts)];
}

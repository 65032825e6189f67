import type { SandboxPlan } from './plan.ts';

/** Returns the variables of a command in a sandbox: without those that lead to services outside, and with its own temporary folder. */
export function sandboxVariables(
  env: Readonly<Record<string, string | undefined>>,
  plan: SandboxPlan,
  temporary: string,
): Record<string, string | undefined> {
  const services = plan.network === 'on' ? servicesByPath : [...servicesByPath, ...servicesByNetwork];
  return {
    ...env,
    ...Object.fromEntries(services.map((name) => [name, undefined])),
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
  };
}

const servicesByPath = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'WAYLAND_DISPLAY',
  'TMUX',
  'TMUX_PANE',
  'STY',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
];

const servicesByNetwork = ['DISPLAY', 'DOCKER_HOST', 'CONTAINER_HOST'];

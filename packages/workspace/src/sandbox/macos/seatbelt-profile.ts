import { type Access, isVisible } from '../layout/access.ts';
import type { Layout } from '../layout/layout.ts';
import type { SandboxPlan } from '../plan.ts';

/** Returns the profile for `sandbox-exec`. The last rule that matches an operation applies. Never run by our tests, which run on Linux. */
export function seatbeltProfile(layout: Layout, plan: SandboxPlan, temporary: string, stage: string): string {
  const { accesses, pinned } = layout;
  const entries = [...accesses].toSorted(([a], [b]) => a.length - b.length);
  return [
    '(version 1)',
    '(allow default)',
    // Programs that launchd or another application would start are not held.
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny job-creation)',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
    // Other processes can be neither seen, signaled nor traced.
    '(deny signal process-info* mach-priv-task-port)',
    '(allow signal process-info* mach-priv-task-port (target same-sandbox))',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    ...entries.flatMap(([at, access]) => rulesFor(at, access)),
    `(allow file-read* file-write* (subpath ${quote(temporary)}))`,
    `(allow file-read* (subpath ${quote(stage)}))`,
    // A folder on the way to a protected path cannot be replaced.
    ...[...pinned].map((at) => `(deny file-write-unlink (literal ${quote(at)}))`),
    ...networkRules(plan),
    '',
  ].join('\n');
}

function rulesFor(at: string, access: Access): readonly string[] {
  const below = `(subpath ${quote(at)})`;
  if (access === 'write') return [`(allow file-read* file-write* ${below})`];
  if (access === 'read') return [`(allow file-read* ${below})`, `(deny file-write* ${below})`];
  if (isVisible(access) || access === 'dev' || access === 'proc') return [];
  // The folders above a visible one must be found.
  return [
    `(deny file-read-data file-write* ${below})`,
    `(deny network-outbound (remote unix-socket ${below}))`,
  ];
}

function networkRules({ network, toolSocket }: SandboxPlan): readonly string[] {
  const tools = toolSocket === undefined ? [] : [allowSocket(toolSocket)];
  if (network === 'on') return tools;
  const rules = [
    '(deny network*)',
    '(allow network-bind network-inbound (local ip "localhost:*"))',
    ...tools,
  ];
  if (network === 'off') return rules;
  return [...rules, '(allow network-outbound (remote ip "localhost:*"))', allowSocket(network.socket)];
}

function allowSocket(at: string): string {
  return `(allow network-outbound (remote unix-socket (path-literal ${quote(at)})))`;
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

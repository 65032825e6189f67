import { readFile } from 'node:fs/promises';
import type { SandboxEngine } from './engine.ts';
import type { StartTrouble } from './sandbox.ts';

/** What is known about a start whose process has exited. */
export interface HeldStart {
  /** The report of its stage. */
  readonly reportFile: string;
  /** The messages of its engine. */
  readonly logFile: string;
  /**
   * Returns a path that was replaced outside: an engine that cannot mount what a link names ends before the stage, and what it mounts is not
   * protected.
   */
  findReplaced(): string | undefined;
  /** Returns a path that the engine had to mount or hide, and that no longer exists. */
  findRemoved(): string | undefined;
}

/** Returns why a command was not started. */
export async function startTrouble(
  engine: SandboxEngine,
  start: HeldStart,
): Promise<StartTrouble | undefined> {
  // Missing where the sandbox was closed meanwhile, which removes placeholders too.
  const written = await readFile(start.reportFile, 'utf8').catch(() => undefined);
  const report = written ?? '';
  if (report.startsWith('held')) return undefined;
  const [, found] = /^replaced: (.*)$/su.exec(report) ?? [];
  const replaced = found ?? (written === undefined ? undefined : start.findReplaced());
  if (replaced !== undefined) return trouble(changed(engine, `${replaced} was replaced`));
  const [, failure] = /^failed: (.*)$/su.exec(report) ?? [];
  if (failure !== undefined) {
    return trouble(
      `The sandbox (${engine.name}) does not hold: ${failure}. The agent was not started. ` +
        `Check ${engine.program}, or start without the sandbox: --sandbox off.`,
    );
  }
  const removed = written === undefined ? undefined : start.findRemoved();
  if (removed !== undefined) {
    return { message: changed(engine, `${removed} was removed`), isPassing: true };
  }
  const log = (await readFile(start.logFile, 'utf8').catch(() => ''))
    .trim()
    .split('\n')
    .slice(-mostLines)
    .join('\n');
  const said = log === '' ? 'it ended without a message' : log.slice(0, mostCharacters);
  const advice = await namespaceAdvice();
  return trouble(
    `Could not start the sandbox with ${engine.program}: ${said}. The agent was not started. ${advice}`,
  );
}

function trouble(message: string): StartTrouble {
  return { message, isPassing: false };
}

function changed(engine: SandboxEngine, what: string): string {
  return (
    `Could not start the sandbox (${engine.name}): ${what} while the sandbox started. ` +
    'The agent was not started. Start it again.'
  );
}

/** Lines of an engine's messages in an error. */
const mostLines = 5;
/** Characters of an engine's messages in an error. */
const mostCharacters = 1000;

/** Names the setting of this machine that forbids user namespaces, if one does. */
async function namespaceAdvice(): Promise<string> {
  for (const [file, forbidding] of settings) {
    const value = await readFile(file, 'utf8').catch(() => undefined);
    if (value?.trim() !== forbidding) continue;
    const name = file.replace('/proc/sys/', '').replaceAll('/', '.');
    return `User namespaces are restricted on this machine (${name} = ${forbidding}): allow them, or start without the sandbox: --sandbox off.`;
  }
  return 'In a container, namespaces must be allowed (Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined). Or start without the sandbox: --sandbox off.';
}

const settings = [
  ['/proc/sys/user/max_user_namespaces', '0'],
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'],
] as const;

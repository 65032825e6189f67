import { readFile } from 'node:fs/promises';
import type { SandboxEngine } from './engine.ts';

/**
 * Returns why a command was not started, from the report of its stage and the messages of its engine. `findReplaced` returns a path that was
 * replaced outside: an engine that cannot mount what a link names ends before the stage,
 * and what it mounts is not protected.
 */
export async function startTrouble(
  engine: SandboxEngine,
  reportFile: string,
  logFile: string,
  findReplaced: () => string | undefined,
): Promise<string | undefined> {
  // Missing where the sandbox was closed meanwhile, which removes placeholders too.
  const written = await readFile(reportFile, 'utf8').catch(() => undefined);
  const report = written ?? '';
  if (report.startsWith('held')) return undefined;
  const [, found] = /^replaced: (.*)$/su.exec(report) ?? [];
  const replaced = found ?? (written === undefined ? undefined : findReplaced());
  if (replaced !== undefined) {
    return (
      `Could not start the sandbox (${engine.name}): ${replaced} was replaced while the sandbox started. ` +
      'The agent was not started. Start it again.'
    );
  }
  const [, failure] = /^failed: (.*)$/su.exec(report) ?? [];
  if (failure !== undefined) {
    return (
      `The sandbox (${engine.name}) does not hold: ${failure}. The agent was not started. ` +
      `Check ${engine.program}, or start without the sandbox: --sandbox off.`
    );
  }
  const log = (await readFile(logFile, 'utf8').catch(() => ''))
    .trim()
    .split('\n')
    .slice(-mostLines)
    .join('\n');
  const said = log === '' ? 'it ended without a message' : log.slice(0, mostCharacters);
  const advice = await namespaceAdvice();
  return `Could not start the sandbox with ${engine.program}: ${said}. The agent was not started. ${advice}`;
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { searchPath } from '@parley/host';
import { inheritedVariables } from '@parley/workspace';

/**
 * Opens an address in the user's browser.
 *
 * @throws where the system has nothing to open it with
 */
export async function openBrowser(
  address: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const [command, ...args] = openerFor(platform);
  // A project may have put an opener of its own on PATH, or what that calls.
  const { env } = await searchPath(inheritedVariables(), [process.cwd()]);
  const child = spawn(command, [...args, address], { env, stdio: 'ignore', detached: true });
  await once(child, 'spawn');
  child.unref();
}

function openerFor(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // What `start` does, without a shell that would read the address.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

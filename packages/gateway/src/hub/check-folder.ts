import { invalidParams } from '@parley/acp';
import { isInside } from '../acp/opening-rules.ts';

/** Refuses what is in none of the folders that sessions may use. @throws {RpcError} -32602. */
export async function checkFolder(
  what: string,
  folder: string,
  workspaces: readonly string[],
): Promise<void> {
  if (await isInside(folder, workspaces)) return;
  throw invalidParams(
    'cwd',
    `a folder that sessions may use here (${workspaces.join(', ')}), and ${what} is in ${JSON.stringify(folder)}`,
  );
}

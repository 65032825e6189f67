import { readFile, readdir } from 'node:fs/promises';

/**
 * Whether a process of a group is still running. The system also counts ended processes that their parent has not
 * collected, which in a container without an init process may last forever; this function does not.
 */
export async function hasLivingMembers(groupId: number): Promise<boolean> {
  try {
    for (const name of await readdir('/proc')) {
      if (/^[0-9]+$/.test(name) && (await isLivingMember(name, groupId))) return true;
    }
    return false;
  } catch {
    // No /proc to look into: the system's word counts.
    return true;
  }
}

async function isLivingMember(pid: string, groupId: number): Promise<boolean> {
  const status = await readStatus(pid);
  // After the name, which may hold anything: the state, the parent, the group.
  const [state, , group] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return Number(group) === groupId && state !== 'Z' && state !== 'X';
}

async function readStatus(pid: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It ended since the list was made.
    return '';
  }
}

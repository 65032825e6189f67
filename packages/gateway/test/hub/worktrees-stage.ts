import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { worktreeMethods, type ListedWorktree, type WorktreesList } from '@parley/host/hub';
import { inOwnCheckout, openWorktree, removeWorktree } from '@parley/workspace/worktree';
import type { HubWorktrees } from '../../src/index.ts';
import { folder } from '../scripted-agent.ts';
import { git } from './changes-stage.ts';
import { createGate, openHub, type Gate, type HubStage, type StagedClient } from './hub-stage.ts';

/** A hub in a repository with one commit, whose agent writes `new.txt` in the folder of its session. */
export interface WorktreesStage {
  readonly stage: HubStage;
  readonly client: StagedClient;
  readonly repository: string;
  /** Turns with the prompt `hold` end when it is open. */
  readonly gate: Gate;
  list(client?: StagedClient): Promise<readonly ListedWorktree[]>;
  /** The stored records, by their files. */
  records(): Promise<ReadonlyMap<string, string>>;
}

export async function openWorktrees(): Promise<WorktreesStage> {
  const repository = await folder();
  const stateFolder = await folder();
  await git(repository, 'init', '-q', '-b', 'main');
  await appendFile(join(repository, '.git', 'config'), '[user]\n\tname = A\n\temail = a@example.com\n');
  await writeFile(join(repository, 'a.txt'), 'one\n');
  await git(repository, 'add', '.');
  await git(repository, 'commit', '-q', '-m', 'first');
  const cwds = new Map<string, string>();
  const gate = createGate();
  const stage = await openHub({
    workspaces: [repository],
    worktrees: worktreesIn(stateFolder),
    agent: {
      onSession: ({ cwd }) => cwds.set(`session-${cwds.size + 1}`, cwd),
      turn: async ({ request, text }) => {
        await writeFile(join(cwds.get(request.sessionId) ?? '', 'new.txt'), `${text}\n`);
        if (text === 'hold') await gate.passed;
      },
    },
  });
  const client = await stage.join();
  return {
    stage,
    client,
    repository,
    gate,
    list: async (asking = client) => {
      const { worktrees } = (await asking.ask(worktreeMethods.list, {})) as WorktreesList;
      return worktrees;
    },
    records: async () => {
      const all = await readdir(stateFolder, { recursive: true });
      const files = all.filter((file) => file.endsWith('.json')).map((file) => join(stateFolder, file));
      return new Map(
        await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
      );
    },
  };
}

/** Worktrees without trust and set-up, which are the command's. */
function worktreesIn(stateFolder: string): HubWorktrees {
  return {
    stateFolder,
    open: async (cwd, wish) => {
      const { record, cwd: place, notes, release, isNew } = await openWorktree(cwd, wish, { stateFolder });
      let isKept = !isNew;
      const { name, path, branch } = record;
      return {
        record,
        worktree: { name, path, branch },
        cwd: place,
        notes,
        keep: () => {
          isKept = true;
        },
        [Symbol.asyncDispose]: async () => {
          await release();
          if (!isKept) await removeWorktree(record, { stateFolder });
        },
      };
    },
    origin: (of) => inOwnCheckout(of, { stateFolder }),
  };
}

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type EscapeAttempt, type EscapeTarget, secret } from './escape-target.ts';

/** Writes outside of the session's folder. */
export const writeAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a file outside is written by its path': ({ outside }) => writes(path.join(outside, 'new-1')),
  'a file outside is written by a path with ..': ({ workspace }) => writes(`${workspace}/../outside/new-2`),
  'a file outside is written through a symbolic link': ({ workspace, outside }) => {
    fs.symlinkSync(outside, path.join(workspace, 'link-out'));
    return writes(path.join(workspace, 'link-out', 'new-3'));
  },
  'a file outside is written through a hard link': ({ workspace, outside }) => {
    fs.linkSync(path.join(outside, 'linked.txt'), path.join(workspace, 'hard-link'));
    return writes(path.join(workspace, 'hard-link'));
  },
  'a file outside is written through /proc/self/root': ({ outside }) =>
    writes(`/proc/self/root${outside}/new-4`),
  'a file outside is written through /proc/1/root': ({ outside }) => writes(`/proc/1/root${outside}/new-5`),
  'a file outside is written through /proc/self/cwd': () => writes('/proc/self/cwd/../outside/new-6'),
  'a file outside is written through the folder of another process': ({ process: id, outside }) =>
    writes(`/proc/${String(id)}/root${outside}/new-7`),
  'a file is moved out of the workspace': ({ workspace, outside }) => {
    fs.writeFileSync(path.join(workspace, 'to-move'), 'x');
    fs.renameSync(path.join(workspace, 'to-move'), path.join(outside, 'moved'));
    return fs.existsSync(path.join(outside, 'moved'));
  },
  'a file outside is removed': ({ outside }) => {
    fs.unlinkSync(path.join(outside, 'removable.txt'));
    return true;
  },
  'a file outside is truncated': ({ outside }) => {
    fs.truncateSync(path.join(outside, 'truncatable.txt'), 0);
    return true;
  },
  'the times of a file outside are changed': ({ outside }) => {
    fs.utimesSync(path.join(outside, 'linked.txt'), 1, 1);
    return true;
  },
  'the mode of a file outside is changed': ({ outside }) => {
    fs.chmodSync(path.join(outside, 'linked.txt'), 0o666);
    return true;
  },
  'the workspace itself is moved': ({ workspace }) => {
    fs.renameSync(workspace, `${workspace}-moved`);
    fs.renameSync(`${workspace}-moved`, workspace);
    return true;
  },
  'a start-up file of the home folder is written': ({ home }) => writes(path.join(home, '.bashrc')),
  'a program is put into the home folder': ({ home }) => writes(path.join(home, 'bin', 'git')),
  "Parley's own state is written": ({ state }) => writes(path.join(state, 'new')),
  'a setting of the kernel is written': () => {
    const file = '/proc/sys/kernel/printk_ratelimit_burst';
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8'));
    return true;
  },
  'a file of /sys is opened for writing': () => {
    fs.closeSync(fs.openSync('/sys/kernel/mm/transparent_hugepage/enabled', 'r+'));
    return true;
  },
  'the trigger of SysRq is opened for writing': () => {
    fs.closeSync(fs.openSync('/proc/sysrq-trigger', 'w'));
    return true;
  },
};

/** Reads of hidden files. */
export const readAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a key in ~/.ssh is read by its path': ({ home }) => reads(path.join(home, '.ssh', 'id_ed25519')),
  'a key in ~/.ssh is read through a symbolic link': ({ home, workspace }) => {
    fs.symlinkSync(path.join(home, '.ssh'), path.join(workspace, 'link-keys'));
    return reads(path.join(workspace, 'link-keys', 'id_ed25519'));
  },
  'a key in ~/.ssh is read through a hard link': ({ home, workspace }) => {
    fs.linkSync(path.join(home, '.ssh', 'id_ed25519'), path.join(workspace, 'hard-key'));
    return reads(path.join(workspace, 'hard-key'));
  },
  'a key in ~/.ssh is read through /proc/self/root': ({ home }) =>
    reads(`/proc/self/root${home}/.ssh/id_ed25519`),
  'a key in ~/.ssh is read through the root of another process': ({ home, process: id }) =>
    reads(`/proc/${String(id)}/root${home}/.ssh/id_ed25519`),
  'a key in ~/.ssh is read by another program': ({ home }) =>
    execFileSync('cat', [path.join(home, '.ssh', 'id_ed25519')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).includes(secret),
  'the folder ~/.ssh is moved to see what is under it': ({ home }) => {
    fs.renameSync(path.join(home, '.ssh'), path.join(home, '.ssh-moved'));
    fs.renameSync(path.join(home, '.ssh-moved'), path.join(home, '.ssh'));
    return true;
  },
  'a key in ~/.gnupg is read': ({ home }) => reads(path.join(home, '.gnupg', 'key')),
  'credentials in ~/.aws are read': ({ home }) => reads(path.join(home, '.aws', 'credentials')),
  'the file ~/.netrc is read': ({ home }) => reads(path.join(home, '.netrc')),
  "Parley's own state is read": ({ state }) => reads(path.join(state, 'token')),
  'a file that the configuration hides is read': ({ workspace }) => reads(path.join(workspace, 'hidden.txt')),
  'a hidden file in the workspace is moved and read': ({ workspace }) => {
    fs.renameSync(path.join(workspace, 'private'), path.join(workspace, 'public'));
    const isRead = reads(path.join(workspace, 'public', 'key'));
    fs.renameSync(path.join(workspace, 'public'), path.join(workspace, 'private'));
    return isRead;
  },
  'a folder with a hidden file is moved to where the next sandbox does not hide it': ({ workspace }) => {
    fs.renameSync(path.join(workspace, 'deep'), path.join(workspace, 'deep-2'));
    fs.renameSync(path.join(workspace, 'deep-2'), path.join(workspace, 'deep'));
    return true;
  },
  'a temporary file of another program is read': ({ temporaryFile }) => reads(temporaryFile),
  'the environment of a process outside is read': ({ process: id }) =>
    fs.readFileSync(`/proc/${String(id)}/environ`, 'utf8').includes(secret),
  'the command line of a process outside is read': ({ process: id }) =>
    fs.readFileSync(`/proc/${String(id)}/cmdline`, 'utf8').includes('service.sock'),
  'an inherited descriptor is read': () =>
    fs.readdirSync('/proc/self/fd').some((name) => {
      try {
        const file = `/proc/self/fd/${name}`;
        // Reading a pipe would wait.
        return Number(name) > 2 && fs.statSync(file).isFile() && reads(file);
      } catch {
        return false;
      }
    }),
};

/** Changes of protected names in the workspace, which programs outside would run. */
export const protectedAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a hook is added': ({ workspace }) => writes(path.join(workspace, '.git/hooks/pre-commit')),
  'the settings of git are written': ({ workspace }) => {
    fs.appendFileSync(path.join(workspace, '.git/config'), '[core]\n\tfsmonitor = touch /tmp/x\n');
    return true;
  },
  'the settings of git are replaced': ({ workspace }) => replaces(path.join(workspace, '.git/config')),
  'the settings of git are removed': ({ workspace }) => {
    fs.unlinkSync(path.join(workspace, '.git/config'));
    return true;
  },
  'git config sets an alias': ({ workspace }) => {
    execFileSync('git', ['config', 'alias.x', '!id'], { cwd: workspace, stdio: 'ignore' });
    return true;
  },
  'git config sets the folder of hooks': ({ workspace }) => {
    execFileSync('git', ['config', 'core.hooksPath', '/tmp'], { cwd: workspace, stdio: 'ignore' });
    return true;
  },
  'the folder of hooks is replaced': ({ workspace }) => {
    fs.renameSync(path.join(workspace, '.git/hooks'), path.join(workspace, '.git/hooks-2'));
    fs.mkdirSync(path.join(workspace, '.git/hooks'));
    return true;
  },
  '.git is moved': ({ workspace }) => {
    fs.renameSync(path.join(workspace, '.git'), path.join(workspace, 'git-moved'));
    fs.renameSync(path.join(workspace, 'git-moved'), path.join(workspace, '.git'));
    return true;
  },
  '.git/commondir is created': ({ workspace }) =>
    createsFile(path.join(workspace, '.git/commondir'), '/tmp\n'),
  '.git/config.worktree is created': ({ workspace }) =>
    createsFile(path.join(workspace, '.git/config.worktree'), '[core]\n'),
  'the folder becomes a repository whose settings run a program': ({ workspace }) =>
    becomesRepository(workspace, '.'),
  'the folder becomes a repository whose objects are in another folder': ({ workspace }) =>
    becomesRepository(workspace, 'elsewhere'),
  'a folder with a repository inside becomes a repository itself': ({ workspace }) =>
    becomesRepository(path.join(workspace, 'vendor/lib'), '.'),
  'the settings of a bare repository inside are written': ({ workspace }) =>
    writes(path.join(workspace, 'bare/config')),
  'a bare repository inside is moved away and replaced': ({ workspace }) => {
    fs.renameSync(path.join(workspace, 'bare'), path.join(workspace, 'bare-2'));
    fs.renameSync(path.join(workspace, 'bare-2'), path.join(workspace, 'bare'));
    return true;
  },
  'an old file with the address of a remote is created': ({ workspace }) =>
    createsIn(workspace, '.git/remotes/origin'),
  'an old file with the address of a branch is created': ({ workspace }) =>
    createsIn(workspace, '.git/branches/origin'),
  'a setting of Parley is created': ({ workspace }) => createsIn(workspace, '.parley/settings.json'),
  'a task of VS Code is created': ({ workspace }) => createsIn(workspace, '.vscode/tasks.json'),
  'a setting of an IDEA editor is created': ({ workspace }) => createsIn(workspace, '.idea/workspace.xml'),
  'an existing start-up file of a shell is written': ({ workspace }) =>
    writes(path.join(workspace, '.profile')),
  'a start-up file of a shell is created': ({ workspace }) =>
    createsFile(path.join(workspace, '.bashrc'), 'id\n'),
  'a start-up file of a shell is put in place by a move': ({ workspace }) => {
    fs.writeFileSync(path.join(workspace, 'ready'), 'id\n');
    execFileSync('mv', ['-T', path.join(workspace, 'ready'), path.join(workspace, '.zshrc')], {
      stdio: 'ignore',
    });
    return fs.statSync(path.join(workspace, '.zshrc')).isFile();
  },
  'a start-up file of an editor is created': ({ workspace }) =>
    createsFile(path.join(workspace, '.exrc'), ':!id\n'),
  'a setting of another editor is created': ({ workspace }) => createsIn(workspace, '.zed/tasks.json'),
  'a setting of Emacs that comes second is created': ({ workspace }) =>
    createsFile(path.join(workspace, '.dir-locals-2.el'), '()'),
  'a start-up file of a desktop is created': ({ workspace }) =>
    createsFile(path.join(workspace, '.xsessionrc'), 'id\n'),
  'a hook is added to a repository inside': ({ workspace }) =>
    writes(path.join(workspace, 'vendor/lib/.git/hooks/pre-commit')),
  'the settings of a repository inside are written': ({ workspace }) =>
    writes(path.join(workspace, 'vendor/lib/.git/config')),
  'a repository inside is moved away and replaced': ({ workspace }) => {
    fs.renameSync(path.join(workspace, 'vendor'), path.join(workspace, 'vendor-2'));
    fs.renameSync(path.join(workspace, 'vendor-2'), path.join(workspace, 'vendor'));
    return true;
  },
  'a task of VS Code is created in a repository inside': ({ workspace }) =>
    createsIn(path.join(workspace, 'vendor/lib'), '.vscode/tasks.json'),
  'a hook is written in the folder of core.hooksPath': ({ workspace }) =>
    writes(path.join(workspace, 'vendor/lib/tools/hooks/pre-commit')),
  'the folder of core.hooksPath is moved': ({ workspace }) => {
    fs.renameSync(path.join(workspace, 'vendor/lib/tools'), path.join(workspace, 'vendor/lib/tools-2'));
    fs.renameSync(path.join(workspace, 'vendor/lib/tools-2'), path.join(workspace, 'vendor/lib/tools'));
    return true;
  },
  'an included file with settings of git is written': ({ workspace }) =>
    writes(path.join(workspace, 'settings.inc')),
  'an included file with settings of git that is missing is created': ({ workspace }) =>
    createsFile(path.join(workspace, 'missing.inc'), '[core]\n'),
  'an included file that counts on another branch is written': ({ workspace }) =>
    writes(path.join(workspace, 'branch.inc')),
  'the settings of a submodule that is not checked out are written': ({ workspace }) =>
    writes(path.join(workspace, '.git/modules/a/b/config')),
  'a hook is added to a submodule that is not checked out': ({ workspace }) =>
    writes(path.join(workspace, '.git/modules/a/b/hooks/post-checkout')),
  'a program is made to run as its owner': ({ workspace }) => makesSetUserId(workspace, 'changed'),
  'a program is created that runs as its owner': ({ workspace }) => {
    const file = path.join(workspace, 'created-set-uid');
    fs.closeSync(fs.openSync(file, 'w', 0o4755));
    return (fs.statSync(file).mode & 0o4000) !== 0;
  },
  'a program without a name is created that runs as its owner': ({ workspace }) => {
    // O_TMPFILE, to which a name can be given later.
    const nameless = 0o20_000_000 | fs.constants.O_DIRECTORY;
    const file = fs.openSync(workspace, nameless | fs.constants.O_WRONLY, 0o4755);
    return (fs.fstatSync(file).mode & 0o4000) !== 0;
  },
};

/** Takes `HEAD` out of `.git`: git then tries the folder around it. Whether a plain `git status` or `git fetch` runs a program. */
function becomesRepository(folder: string, commonDir: string): boolean {
  const at = (...names: readonly string[]): string => path.join(folder, ...names);
  // Not by a move: `.git` is another mount.
  const head = fs.readFileSync(at('.git/HEAD'));
  fs.writeFileSync(at('HEAD'), head);
  fs.unlinkSync(at('.git/HEAD'));
  try {
    for (const name of ['objects', 'refs']) fs.mkdirSync(at(commonDir, name), { recursive: true });
    if (commonDir !== '.') replacesFolder(at('commondir'), `${commonDir}\n`);
    const program = `touch ${at('ran')}; false`;
    const settings =
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${folder}\n` +
      `\tfsmonitor = "${program}"\n\tsshCommand = "${program}"\n[remote "origin"]\n\turl = ssh://localhost/x\n`;
    fs.writeFileSync(at(commonDir, 'config'), settings);
    // As the user starts it: Parley sets safe.bareRepository for what it starts.
    const env = { ...process.env, GIT_CONFIG_COUNT: '0' };
    for (const command of ['status', 'fetch']) {
      spawnSync('git', [command], { cwd: folder, env, stdio: 'ignore' });
    }
    return fs.existsSync(at('ran'));
  } finally {
    fs.writeFileSync(at('.git/HEAD'), head);
    for (const name of ['HEAD', 'ran', 'config', 'commondir', 'objects', 'refs', 'elsewhere']) {
      try {
        fs.rmSync(at(name), { recursive: true, force: true });
      } catch {
        // Protected.
      }
    }
  }
}

function replacesFolder(file: string, content: string): void {
  fs.rmSync(file, { recursive: true, force: true });
  fs.writeFileSync(file, content);
}

function writes(file: string): boolean {
  fs.writeFileSync(file, 'written by an agent');
  return fs.readFileSync(file, 'utf8') === 'written by an agent';
}

function reads(file: string): boolean {
  return fs.readFileSync(file, 'utf8').includes(secret);
}

function replaces(file: string): boolean {
  fs.copyFileSync(file, `${file}.new`);
  fs.renameSync(`${file}.new`, file);
  return true;
}

/** Also where a folder was put in its place. */
function createsFile(file: string, content: string): boolean {
  fs.rmSync(file, { recursive: true, force: true });
  fs.writeFileSync(file, content);
  const isCreated = fs.readFileSync(file, 'utf8') === content;
  fs.unlinkSync(file);
  return isCreated;
}

function createsIn(folder: string, name: string): boolean {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return createsFile(file, '{}');
}

function makesSetUserId(workspace: EscapeTarget['workspace'], name: string): boolean {
  const file = path.join(workspace, name);
  fs.writeFileSync(file, '');
  fs.chmodSync(file, 0o4755);
  return (fs.statSync(file).mode & 0o4000) !== 0;
}

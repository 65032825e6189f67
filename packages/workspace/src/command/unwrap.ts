import type { CommandWord } from './command-part.ts';

/** The command that a wrapper such as `sudo`, `env` or `timeout` starts; undefined for a command that is no wrapper. */
export function unwrap(words: readonly CommandWord[]): readonly CommandWord[] | undefined {
  const [first, ...rest] = words;
  const wrapper = first === undefined ? undefined : wrappers.get(programName(first.text));
  if (wrapper === undefined) return undefined;
  let index = 0;
  for (; index < rest.length; index += 1) {
    const text = rest[index]?.text ?? '';
    if (text === '--') {
      index += 1;
      break;
    }
    if (/^[A-Za-z_]\w*=/u.test(text)) continue;
    if (!text.startsWith('-') || (text === '-' && !wrapper.hasDash)) break;
    // A value may stand behind its option, or at the end of it.
    if (wrapper.valued.includes(text)) index += 1;
  }
  return rest.slice(index + wrapper.operands);
}

/** A program's name without its directory. */
export function programName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

interface Wrapper {
  /** Options whose value is the next word. */
  readonly valued: readonly string[];
  /** How many words come before the command. */
  readonly operands: number;
  /** A lone `-` is an option. */
  readonly hasDash: boolean;
}

function takes(valued: string, operands = 0): Wrapper {
  return { valued: valued.split(' '), operands, hasDash: false };
}

const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  [
    'sudo',
    takes('-u --user -g --group -h --host -p --prompt -C -D --chdir -R --chroot -T -U -r --role -t --type'),
  ],
  ['doas', takes('-u -C')],
  ['pkexec', takes('--user')],
  ['env', { ...takes('-u --unset -C --chdir -S --split-string'), hasDash: true }],
  ['nice', takes('-n --adjustment')],
  ['ionice', takes('-c --class -n --classdata -p --pid')],
  ['timeout', takes('-s --signal -k --kill-after', 1)],
  ['gtimeout', takes('-s --signal -k --kill-after', 1)],
  ['time', takes('-f --format -o --output')],
  [
    'xargs',
    takes('-a --arg-file -d --delimiter -E -I -i -L --max-lines -n --max-args -P --max-procs -s --max-chars'),
  ],
  ['parallel', takes('-j --jobs -a -I -n -N')],
  ['stdbuf', takes('-i --input -o --output -e --error')],
  ['strace', takes('-o -e -p -s -u')],
  ['watch', takes('-n --interval')],
  ['chroot', takes('', 1)],
  ['flock', takes('-w --timeout -E', 1)],
  ['taskset', takes('', 1)],
  ['chrt', takes('', 1)],
  ['exec', takes('-a')],
  ['systemd-run', takes('-p --property -u --unit')],
  ['runuser', takes('-u --user -g --group')],
  ['unshare', takes('')],
  ['nsenter', takes('-t --target')],
  ['firejail', takes('')],
  ['setpriv', takes('--reuid --regid --groups --ambient-caps --inh-caps --bounding-set')],
  ['caffeinate', takes('-t -w')],
  ['unbuffer', takes('')],
  ['dbus-run-session', takes('--config-file')],
  ['nohup', takes('')],
  ['setsid', takes('')],
  ['command', takes('')],
  ['builtin', takes('')],
  ['busybox', takes('')],
  ['toybox', takes('')],
]);

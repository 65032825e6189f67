import type { CommandWord } from '../command-part.ts';
import { isHarmlessVariable } from '../variables.ts';

/** The command that a wrapper such as `sudo`, `env` or `timeout` starts; undefined for a command that is no wrapper. */
export function unwrap(words: readonly CommandWord[]): readonly CommandWord[] | undefined {
  return unwrapCommand(words)?.inner;
}

/** What a wrapper starts. */
export interface Unwrapped {
  readonly inner: readonly CommandWord[];
  /** Whether the start of the command is certain: each word before it is a known option, its value, or an operand. */
  readonly isCertain: boolean;
}

/** The command that a wrapper starts, and whether it is that one for certain. */
export function unwrapCommand(words: readonly CommandWord[]): Unwrapped | undefined {
  const [first, ...rest] = words;
  const wrapper = first === undefined ? undefined : wrappers.get(programName(first.text));
  if (wrapper === undefined) return undefined;
  let isCertain = true;
  let index = 0;
  for (; index < rest.length; index += 1) {
    const { text, isLiteral } = rest[index] ?? { text: '', isLiteral: true };
    if (!isLiteral) isCertain = false;
    if (text === '--') {
      index += 1;
      break;
    }
    if (/^[A-Za-z_]\w*=/u.test(text)) {
      isCertain &&= wrapper.hasAssignments;
      continue;
    }
    if (!text.startsWith('-') || (text === '-' && !wrapper.hasDash)) break;
    // A value may stand behind its option, or at the end of it.
    if (wrapper.valued.includes(text)) index += 1;
    else isCertain &&= isKnownOption(text, wrapper);
  }
  const end = index + wrapper.operands;
  return { inner: rest.slice(end), isCertain: isCertain && rest.slice(0, end).every(isLiteralWord) };
}

/**
 * The command that a harmless wrapper starts: one that only changes time, priority or buffering, or `env` with
 * harmless variables. Undefined for other commands.
 */
export function unwrapHarmless(words: readonly CommandWord[]): readonly CommandWord[] | undefined {
  const [first, ...rest] = words;
  if (first === undefined || !first.isLiteral) return undefined;
  if (first.text === 'env') {
    const start = rest.findIndex(({ text, isLiteral }) => !isLiteral || !/^[A-Za-z_]\w*=/u.test(text));
    const set = start === -1 ? rest : rest.slice(0, start);
    const isHarmless = set.every(({ text }) => isHarmlessVariable(text.slice(0, text.indexOf('='))));
    const isPlain = start !== -1 && rest[start]?.isLiteral === true && !rest[start].text.startsWith('-');
    return isHarmless && isPlain ? rest.slice(start) : undefined;
  }
  if (!harmless.has(first.text)) return undefined;
  const unwrapped = unwrapCommand(words);
  return unwrapped?.isCertain === true ? unwrapped.inner : undefined;
}

/** `time -o` writes and `command -v` starts nothing: neither is among the known options below. */
const harmless: ReadonlySet<string> = new Set('command nice stdbuf time timeout'.split(' '));

/** A program's name without its directory. */
export function programName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

function isLiteralWord({ isLiteral }: CommandWord): boolean {
  return isLiteral;
}

function isKnownOption(text: string, { valued, flags }: Wrapper): boolean {
  if (flags.includes(text)) return true;
  if (text.startsWith('--')) return text.includes('=') && valued.includes(text.slice(0, text.indexOf('=')));
  if (valued.some((option) => /^-[^-]$/u.test(option) && text.startsWith(option))) return true;
  return text.length > 2 && Array.from(text.slice(1)).every((letter) => flags.includes(`-${letter}`));
}

interface Wrapper {
  /** Options whose value is the next word, or follows in the same word. */
  readonly valued: readonly string[];
  /** Options without a value. */
  readonly flags: readonly string[];
  /** How many words come before the command. */
  readonly operands: number;
  /** A lone `-` is an option. */
  readonly hasDash: boolean;
  /** `NAME=value` may come before the command. */
  readonly hasAssignments: boolean;
}

function takes(valued: string, flags = '', operands = 0): Wrapper {
  const split = (list: string): readonly string[] => list.split(' ').filter((word) => word !== '');
  return { valued: split(valued), flags: split(flags), operands, hasDash: false, hasAssignments: false };
}

const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  [
    'sudo',
    {
      ...takes(
        '-u --user -g --group -h --host -p --prompt -C -D --chdir -R --chroot -T -U -r --role -t --type',
        '-n --non-interactive -E --preserve-env -H --set-home -S --stdin -A --askpass -b --background -k -P -i --login -s --shell',
      ),
      hasAssignments: true,
    },
  ],
  ['doas', takes('-u -C', '-n -s -L')],
  ['pkexec', takes('--user', '--disable-internal-agent')],
  [
    'env',
    {
      ...takes('-u --unset -C --chdir', '- -i --ignore-environment -v --debug -0 --null'),
      hasDash: true,
      hasAssignments: true,
    },
  ],
  ['nice', takes('-n --adjustment')],
  ['ionice', takes('-c --class -n --classdata -p --pid', '-t --ignore')],
  ['timeout', takes('-s --signal -k --kill-after', '--preserve-status --foreground -v --verbose', 1)],
  ['gtimeout', takes('-s --signal -k --kill-after', '--preserve-status --foreground -v --verbose', 1)],
  ['time', takes('-f --format', '-p -v --verbose --portability -q --quiet')],
  [
    'xargs',
    takes(
      '-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars',
      '-0 --null -r --no-run-if-empty -t --verbose -x --exit -p --interactive -o --open-tty',
    ),
  ],
  ['parallel', takes('-j --jobs -a -I -n -N')],
  ['stdbuf', takes('-i --input -o --output -e --error')],
  ['strace', takes('-o -e -p -s -u', '-f -ff -c -C -q -v -t -tt -y')],
  ['ltrace', takes('-o -e -p -s -u', '-f -c -S')],
  [
    'watch',
    takes(
      '-n --interval',
      '-d --differences -t --no-title -b --beep -e --errexit -g --chgexit -c --color -x --exec',
    ),
  ],
  ['chroot', takes('', '', 1)],
  [
    'flock',
    takes(
      '-w --timeout -E --conflict-exit-code',
      '-n --nonblock --nb -s --shared -x -e --exclusive -u --unlock -o --close -F --no-fork -v --verbose',
      1,
    ),
  ],
  ['taskset', takes('', '-a --all-tasks -c --cpu-list', 1)],
  ['chrt', takes('-T -P -D', '-b --batch -f --fifo -i --idle -o --other -r --rr -R -a -v', 1)],
  ['exec', takes('-a', '-c -l')],
  [
    'systemd-run',
    takes(
      '-p --property -u --unit',
      '--user --scope -q --quiet --wait --pty -t --pipe -P -G --collect --no-block',
    ),
  ],
  ['runuser', takes('-u --user -g --group')],
  ['unshare', takes('', '-m -u -i -n -p -U -r -f --fork --mount-proc --map-root-user')],
  ['nsenter', takes('-t --target', '-a --all -m --mount -u --uts -i --ipc -n --net -p --pid -U --user')],
  ['firejail', takes('')],
  [
    'setpriv',
    takes(
      '--reuid --regid --groups --ambient-caps --inh-caps --bounding-set',
      '--no-new-privs --clear-groups',
    ),
  ],
  ['caffeinate', takes('-t -w', '-d -i -m -s -u')],
  ['unbuffer', takes('', '-p')],
  ['dbus-run-session', takes('--config-file')],
  ['dbus-launch', takes('', '--exit-with-session')],
  ['nohup', takes('')],
  ['setsid', takes('', '-c --ctty -f --fork -w --wait')],
  ['command', takes('', '-p')],
  ['builtin', takes('')],
  ['noglob', takes('')],
  ['nocorrect', takes('')],
  ['busybox', takes('')],
  ['toybox', takes('')],
  ['chronic', takes('', '-v -e')],
  ['sg', takes('', '', 1)],
  ['winpty', takes('')],
  ['wine', takes('')],
  ['rlwrap', takes('')],
  ['proot', takes('-r -b -w')],
  ['fakeroot', takes('')],
  ['faketime', takes('-f', '', 1)],
  ['eatmydata', takes('')],
  ['prlimit', takes('')],
  ['numactl', takes('-N -m -C', '-i -l')],
  ['cgexec', takes('-g')],
  ['torsocks', takes('')],
  ['proxychains', takes('-f', '-q')],
  ['proxychains4', takes('-f', '-q')],
  ['catchsegv', takes('')],
  ['valgrind', takes('')],
  ['hyperfine', takes('')],
  ['entr', takes('', '-c -d -n -p -r -s -z')],
  ['npx', takes('-p --package', '-y --yes --no --no-install -q --quiet')],
  ['pnpx', takes('-p --package')],
  ['bunx', takes('-p --package', '--bun -y')],
  ['uvx', takes('--from --with -p --python', '-q -v')],
  ['cross-env', { ...takes(''), hasAssignments: true }],
  ['dotenv', takes('-e')],
]);

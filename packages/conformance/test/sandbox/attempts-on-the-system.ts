import { execFileSync } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { EscapeAttempt } from './escape-target.ts';

/** Mounts, namespaces, devices, processes and calls of the kernel. */
export const systemAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a file system is mounted': ({ workspace }) => {
    const at = path.join(workspace, 'mount-1');
    fs.mkdirSync(at);
    return perl(
      `my $t='tmpfs'; my $at=shift; yes(call(mount, $t, $at, $t, 0, '')); call(umount, $at, 2)`,
      at,
    );
  },
  'a folder is mounted at another path': ({ workspace, outside }) => {
    const at = path.join(workspace, 'mount-2');
    fs.mkdirSync(at);
    return perl(
      `my ($o, $at)=@ARGV; yes(call(mount, $o, $at, '', 4096, '')); call(umount, $at, 2)`,
      outside,
      at,
    );
  },
  'the root is made writable': () => perl(`yes(call(mount, 'none', '/', '', 4096|32|2097152, ''))`),
  'a hidden folder is uncovered': ({ home }) => perl('my $h=shift; yes(call(umount, "$h/.ssh", 2))', home),
  'the root is changed with chroot': ({ workspace }) => perl('my $w=shift; yes(chroot $w)', workspace),
  'the root is changed with pivot_root': () => perl(`yes(call(pivot, '.', '.'))`),
  'a mount is made with the newer calls': () => perl(`my $t='tmpfs'; yes(call(fsopen, $t, 0))`),
  'a user namespace is created with unshare': () => perl('yes(call(unshare, 0x10000000))'),
  'a user namespace is created with clone': () =>
    perl(
      'my $id=call(clone, 0x10000000|17, 0, 0, 0, 0); exit 0 if defined $id && $id == 0; yes(defined $id); wait',
    ),
  'a user namespace is created by the command unshare': () => {
    execFileSync('unshare', ['--user', 'true'], { stdio: 'ignore' });
    return true;
  },
  'a mount namespace is created': () => perl('yes(call(unshare, 0x20000))'),
  'a namespace of another process is entered': ({ process: id }) =>
    perl('open(my $n, "<", "/proc/$ARGV[0]/ns/mnt") or exit; yes(call(setns, fileno $n, 0))', String(id)),
  'a device is created': ({ workspace }) =>
    perl('my $f="$ARGV[0]/device"; yes(call(mknodat, -100, $f, 0060600, 7<<8)); unlink $f', workspace),
  'a disk is opened': () => opensDisk(),
  'the log of the kernel is opened': () => {
    fs.closeSync(fs.openSync('/dev/kmsg', 'r'));
    return true;
  },
  'a signal is sent to a process outside': ({ process: id }) => process.kill(id, 0),
  'a process outside is traced': ({ process: id }) =>
    perl(
      'yes(call(ptrace, 16, $ARGV[0]+0, 0, 0)); waitpid($ARGV[0],0); call(ptrace, 17, $ARGV[0]+0, 0, 0)',
      String(id),
    ),
  'memory of a process outside is opened': ({ process: id }) => {
    fs.closeSync(fs.openSync(`/proc/${String(id)}/mem`, 'r+'));
    return true;
  },
  'the priority of a process outside is changed': ({ process: id }) =>
    perl('yes(call(set_priority, 0, $ARGV[0]+0, 5))', String(id)),
  'shared memory of a process outside is opened': ({ sharedMemory }) =>
    perl('yes(defined shmget($ARGV[0]+0, 1, 0))', String(sharedMemory)),
  'io_uring is set up': () => perl('my $p="\\0" x 120; yes(call(io_uring_setup, 4, $p))'),
  'a key of the kernel is read': () => perl('yes(call(keyctl, 0, -3, 1))'),
  'a BPF program is loaded': () => perl('my $a="\\0" x 128; call(bpf, 0, $a, 128); yes($!{EINVAL} || !$!)'),
  'a socket for virtual machines is opened': () => perl('yes(socket(my $s, 40, 1, 0))'),
  'a raw socket is opened': () => perl('yes(socket(my $s, 17, 3, 0))'),
  'a capability is held': () => /^CapEff:\s*0*[1-9a-f]/mu.test(fs.readFileSync('/proc/self/status', 'utf8')),
  'a folder is there in which devices or programs of other users work': () =>
    fs
      .readFileSync('/proc/self/mountinfo', 'utf8')
      .trim()
      .split('\n')
      .some((line) => {
        const [, , , , at = '', options = ''] = line.split(' ');
        // Of `/dev`, what is under the one of the sandbox is listed too.
        return !/^\/dev(?:\/|$)/u.test(at) && !/(?:^|,)nosuid,(?:.*,)?nodev(?:,|$)/u.test(options);
      }),
  'new privileges can be gained': () =>
    /^NoNewPrivs:\s*0/mu.test(fs.readFileSync('/proc/self/status', 'utf8')),
  'keys are pushed into a terminal': () => {
    // A terminal of its own, as it would inherit one from a user's shell.
    const code = 'my $k="x"; exit(ioctl(STDIN, 0x5412, $k) ? 0 : 1)';
    execFileSync('script', ['-qec', `perl -e '${code}'`, '/dev/null'], { stdio: 'ignore' });
    return true;
  },
};

/** Connections to services outside. */
export const networkAttempts: Readonly<Record<string, EscapeAttempt>> = {
  'a TCP service on 127.0.0.1 is reached': ({ tcpPort }) => connects({ host: '127.0.0.1', port: tcpPort }),
  'a TCP service on localhost is reached': ({ tcpPort }) => connects({ host: 'localhost', port: tcpPort }),
  'a TCP service is reached by an address of the machine': ({ tcpPort }) =>
    connects({ host: '127.8.9.10', port: tcpPort }),
  'a UDP service is reached': async ({ udpPort }) => {
    const socket = dgram.createSocket('udp4');
    try {
      const answered = once(socket, 'message');
      socket.connect(udpPort, '127.0.0.1');
      await once(socket, 'connect');
      socket.send('ping');
      await answered;
      return true;
    } finally {
      socket.close();
    }
  },
  'a Unix socket outside is reached': ({ outside }) => connects({ path: path.join(outside, 'service.sock') }),
  'a Unix socket in the workspace is reached': ({ workspace }) =>
    connects({ path: path.join(workspace, 'service.sock') }),
  'a Unix socket is reached through a symbolic link': ({ workspace, outside }) => {
    fs.symlinkSync(outside, path.join(workspace, 'link-socket'));
    return connects({ path: path.join(workspace, 'link-socket', 'service.sock') });
  },
  'an abstract socket is reached': ({ abstractSocket }) => connects({ path: `\0${abstractSocket}` }),
  'the agent for SSH keys is reached': () => connects({ path: process.env['SSH_AUTH_SOCK'] ?? '' }),
  "Docker's socket is reached": () =>
    connects({ path: process.env['DOCKER_HOST']?.replace('unix://', '') ?? '' }),
  'another interface than the loopback is there': () =>
    fs
      .readFileSync('/proc/net/dev', 'utf8')
      .split('\n')
      .some((line) => line.includes(':') && !line.trim().startsWith('lo:')),
};

async function connects(options: net.NetConnectOpts): Promise<boolean> {
  const socket = net.connect(options);
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

/** Runs Perl, which can make any call of the kernel; whether it printed `yes`. */
function perl(code: string, ...args: readonly string[]): boolean {
  const prelude =
    `use Errno; sub yes { print "yes" if $_[0] } ` +
    'sub call { my @a = @_; my $r = syscall($a[0], @a[1 .. $#a]); $r == -1 ? undef : $r || "0 but true" } ' +
    Object.entries(callNumbers)
      .map(([name, numbers]) => `sub ${name} () { ${String(numbers[process.arch === 'x64' ? 0 : 1])} }`)
      .join(' ');
  const said = execFileSync('perl', ['-e', `${prelude} ${code}`, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return said.includes('yes');
}

/** x64, arm64. */
const callNumbers = {
  mount: [165, 40],
  umount: [166, 39],
  pivot: [155, 41],
  fsopen: [430, 430],
  unshare: [272, 97],
  clone: [56, 220],
  setns: [308, 268],
  mknodat: [259, 33],
  ptrace: [101, 117],
  set_priority: [141, 140],
  io_uring_setup: [425, 425],
  keyctl: [250, 219],
  bpf: [321, 280],
} as const;

function opensDisk(): boolean {
  const disks = fs.readdirSync('/sys/class/block').map((name) => `/dev/${name}`);
  return disks.some((disk) => {
    try {
      fs.closeSync(fs.openSync(disk, 'r'));
      return true;
    } catch {
      return false;
    }
  });
}

import { type FilterArchitecture, type FilterRule, assembleFilter } from './assemble.ts';

/** Returns the filter of system calls for a processor (`process.arch`); undefined for one that is not known. */
export function systemCallFilter(processor: string): Buffer | undefined {
  if (processor !== 'x64' && processor !== 'arm64') return undefined;
  const rules = Object.entries(calls).flatMap(([name, [x64, arm64]]): readonly FilterRule[] => {
    const call = processor === 'x64' ? x64 : arm64;
    return call === undefined ? [] : rulesFor(name).map((rule) => ({ call, ...rule }));
  });
  return assembleFilter(architectures[processor], rules);
}

const architectures: Readonly<Record<'x64' | 'arm64', FilterArchitecture>> = {
  x64: { audit: 0xc000_003e, end: 0x4000_0000 },
  arm64: { audit: 0xc000_00b7 },
};

const denied = 1;
const noSuchCall = 38;
const noSuchFamily = 97;
/** Each namespace that `clone`, `unshare` and `setns` can make or enter. */
const newUserNamespace = 0x1000_0000;
/** `O_CREAT`, and the bit of `O_TMPFILE`, which creates a file without a name. */
const createFile = 0x40_0040;
/** The bits of a mode that start a program as another user or group. */
const setId = 0o6000;
/** Keys that are typed as if by the user. */
const pushKeys = [0x5412, 0x541c];
/** Unix, IPv4, IPv6 and netlink: others are not bound to a network namespace, or not needed. */
const families = [1, 2, 10, 16];

type Conditions = Omit<FilterRule, 'call'>;

/** Most calls are refused as a whole. */
function rulesFor(name: string): readonly Conditions[] {
  switch (name) {
    case 'ioctl':
      return pushKeys.map((is) => ({ when: [{ argument: 1, is }], error: denied }));
    case 'socket':
    case 'socketpair':
      return [{ when: [{ argument: 0, not: families }], error: noSuchFamily }];
    case 'clone':
    case 'unshare':
      return [{ when: [{ argument: 0, any: newUserNamespace }], error: denied }];
    case 'chmod':
    case 'fchmod':
    case 'creat':
    case 'mknod':
      return [{ when: [{ argument: 1, any: setId }], error: denied }];
    case 'fchmodat':
    case 'fchmodat2':
    case 'mknodat':
      return [{ when: [{ argument: 2, any: setId }], error: denied }];
    case 'open':
      return [
        {
          when: [
            { argument: 1, any: createFile },
            { argument: 2, any: setId },
          ],
          error: denied,
        },
      ];
    case 'openat':
      return [
        {
          when: [
            { argument: 2, any: createFile },
            { argument: 3, any: setId },
          ],
          error: denied,
        },
      ];
    // Their arguments are in memory, which a filter cannot see: libraries use the older calls instead.
    case 'clone3':
    case 'openat2':
    case 'io_uring_setup':
    case 'io_uring_enter':
    case 'io_uring_register':
      return [{ error: noSuchCall }];
    default:
      return [{ error: denied }];
  }
}

/** The numbers of the calls: x64, arm64. */
const calls: Readonly<Record<string, readonly [number | undefined, number | undefined]>> = {
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  unshare: [272, 97],
  clone3: [435, 435],
  setns: [308, 268],
  open: [2, undefined],
  openat: [257, 56],
  openat2: [437, 437],
  creat: [85, undefined],
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  mknod: [133, undefined],
  mknodat: [259, 33],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  move_mount: [429, 429],
  open_tree: [428, 428],
  open_tree_attr: [467, 467],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
};

import { readFileSync } from 'node:fs';
import type { LinuxSandboxEngine } from '../engine.ts';
import { bubblewrapScript, cleanStartScript, setUpScript, unshareScript } from './launch-scripts.ts';
import type { Step } from './steps.ts';

/** Files of a sandbox that its engine reads. */
export interface EngineFiles {
  /** The steps of the file system. */
  readonly steps: string;
  /** The filter of system calls. */
  readonly filter: string;
  /** An empty folder. */
  readonly base: string;
}

/** One command in a sandbox. */
export interface EngineCommand {
  readonly engine: LinuxSandboxEngine;
  readonly files: EngineFiles;
  /** Where the self-test writes its result, and the engine its messages. */
  readonly report: string;
  readonly log: string;
  readonly perl: string | undefined;
  readonly hasOwnNetwork: boolean;
  readonly cwd: string;
  /** What runs inside. */
  readonly inside: readonly string[];
}

/** The steps as a file for the engine: fields end with NUL. */
export function stepsFile(steps: readonly Step[], engine: LinuxSandboxEngine): string {
  const prefix = engine.name === 'bubblewrap' ? '--' : '';
  return steps
    .map(([name, ...paths]) => [`${prefix}${name}`, ...paths].map((word) => `${word}\0`).join(''))
    .join('');
}

/** Returns the arguments for `/bin/sh` that start a command in the namespaces of an engine. */
export function engineArguments(command: EngineCommand): readonly string[] {
  const { engine, files, report, log, perl, hasOwnNetwork, cwd, inside } = command;
  const cleanStart = perl === undefined ? [] : [perl, '-e', cleanStartScript, prctl];
  if (engine.name === 'bubblewrap') {
    const options = [
      '--args',
      '8',
      '--seccomp',
      '9',
      '--chdir',
      cwd,
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      ...(needsUserNamespace() ? ['--unshare-user'] : []),
      ...(hasOwnNetwork ? ['--unshare-net'] : []),
      '--new-session',
      '--die-with-parent',
      '--cap-drop',
      'ALL',
    ];
    return [
      '-c',
      bubblewrapScript,
      name,
      report,
      log,
      files.steps,
      files.filter,
      ...cleanStart,
      engine.program,
      ...options,
      '--',
      ...inside,
    ];
  }
  const isMapped = needsUserNamespace();
  const setUp = [
    engine.perl,
    '-e',
    setUpScript,
    files.steps,
    files.filter,
    files.base,
    cwd,
    process.arch,
    ...(isMapped ? [String(process.geteuid?.() ?? 0), String(process.getegid?.() ?? 0)] : ['0', '0']),
    hasOwnNetwork ? '1' : '',
  ];
  const namespaces = [
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    ...(isMapped ? ['--map-root-user'] : []),
    ...(hasOwnNetwork ? ['--net'] : []),
  ];
  return [
    '-c',
    unshareScript,
    name,
    report,
    log,
    ...cleanStart,
    engine.program,
    ...namespaces,
    '--',
    ...setUp,
    ...inside,
  ];
}

const name = 'parley-sandbox';

const prctl = process.arch === 'x64' ? '157' : '167';

/** Root can create namespaces, unless it lacks CAP_SYS_ADMIN, as in most containers; others need a user namespace first. */
function needsUserNamespace(): boolean {
  if (process.geteuid?.() !== 0) return true;
  const [, effective = '0'] =
    /^CapEff:\s*([0-9a-f]+)$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return (BigInt(`0x${effective}`) & (1n << 21n)) === 0n;
}

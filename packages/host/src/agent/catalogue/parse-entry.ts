import type {
  BinaryDistribution,
  CatalogueEntry,
  Distribution,
  PackageDistribution,
  RunningNotes,
  SignIn,
} from './catalogue-entry.ts';
import { type EntryReader, readEntry } from './entry-reader.ts';
import { pinNpmPackage, pinPythonPackage } from './pinned-package.ts';

/** An entry, or all that is wrong with it, each fault with its place. */
export type ParsedEntry =
  | { readonly kind: 'entry'; readonly entry: CatalogueEntry }
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/**
 * Reads an entry in the format of the public registry. Fields that are not known there stay in `raw`; wrong ones make
 * the whole entry faulty.
 */
export function parseEntry(value: unknown): ParsedEntry {
  const faults: string[] = [];
  const reader = readEntry(value, '', faults);
  const version = reader.required('version', /^\d+\.\d+\.\d+/u, 'a version such as 1.2.3');
  const repository = readUrl(reader, 'repository');
  const website = readUrl(reader, 'website') ?? repository;
  readUrl(reader, 'license_url');
  reader.text('icon');
  const license = reader.text('license');
  const distribution = readDistribution(reader, version);
  const entry: CatalogueEntry = {
    id: reader.required('id', entryId, 'small letters, digits and hyphens, a letter first'),
    name: reader.required('name'),
    version,
    description: reader.required('description'),
    ...(website !== undefined && { website }),
    ...(license !== undefined && { license }),
    authors: reader.texts('authors') ?? [],
    distribution,
    running: readRunning(reader, distribution),
    raw: reader.raw,
  };
  return faults.length === 0 ? { kind: 'entry', entry } : { kind: 'faulty', faults };
}

/** What an entry may be called; such a name is also a safe name of a file. */
const entryId = /^[a-z][a-z\d-]{0,63}$/u;

const platforms = [
  'darwin-aarch64',
  'darwin-x86_64',
  'linux-aarch64',
  'linux-x86_64',
  'windows-aarch64',
  'windows-x86_64',
];

function readDistribution(entry: EntryReader, version: string): Distribution {
  const reader = entry.object('distribution');
  if (reader === undefined) {
    if (!Object.hasOwn(entry.raw, 'distribution')) entry.fault('distribution', 'is missing');
    return {};
  }
  reader.only(['binary', 'npx', 'uvx']);
  if (Object.keys(reader.raw).length === 0) entry.fault('distribution', 'says no way to get the agent');
  const npx = reader.object('npx');
  const uvx = reader.object('uvx');
  const binary = reader.object('binary');
  return {
    ...(npx !== undefined && { npx: readPackage(npx, version, { pin: pinNpmPackage, registry: 'npm' }) }),
    ...(uvx !== undefined && { uvx: readPackage(uvx, version, { pin: pinPythonPackage, registry: 'PyPI' }) }),
    ...(binary !== undefined && { binary: readBinaries(binary, reader) }),
  };
}

/** Where packages come from, and how one exact version of them is named there. */
interface PackageRegistry {
  readonly registry: string;
  readonly pin: (specifier: string, entryVersion: string) => string | undefined;
}

function readPackage(
  reader: EntryReader,
  version: string,
  { pin, registry }: PackageRegistry,
): PackageDistribution {
  reader.only(['package', 'args', 'env']);
  const specifier = reader.required('package');
  const pinned = pin(specifier, version);
  // What is wrong with the version of the entry was named already.
  if (pinned === undefined && specifier !== '' && version !== '') {
    reader.fault('package', `expected the name of a package of ${registry}, with one exact version or none`);
  }
  return { package: pinned ?? specifier, ...readInvocation(reader) };
}

function readBinaries(reader: EntryReader, parent: EntryReader): BinaryDistribution[] {
  reader.only(platforms);
  if (Object.keys(reader.raw).length === 0) parent.fault('binary', 'names no platform');
  return platforms.flatMap((platform) => {
    const target = reader.object(platform);
    if (target === undefined) return [];
    target.only(['archive', 'sha256', 'cmd', 'args', 'env']);
    if (Object.hasOwn(target.raw, 'sha256')) {
      target.required('sha256', /^[a-f\d]{64}$/iu, '64 hexadecimal digits');
    }
    const archive = target.required('archive', url, 'a URL');
    return [{ platform, archive, command: target.required('cmd'), ...readInvocation(target) }];
  });
}

function readInvocation(reader: EntryReader): Pick<PackageDistribution, 'args' | 'env'> {
  return { args: reader.texts('args') ?? [], env: readVariables(reader) };
}

function readVariables(reader: EntryReader): Readonly<Record<string, string>> {
  const env = reader.textByName('env') ?? {};
  if (!Object.keys(env).every((name) => /^[^=\0]+$/u.test(name))) {
    reader.fault('env', 'has a name no variable has');
  }
  return env;
}

/** What is asked of a program whose version one wants to know. Nothing else is ever run to find out. */
const versionQuestions = ['--version', '-v', '-V', 'version'];

function readRunning(entry: EntryReader, distribution: Distribution): RunningNotes {
  const reader = entry.object('parley');
  if (reader === undefined) return guessRunning(distribution);
  reader.only(['alias', 'detect', 'start', 'signIn', 'files', 'askMode', 'quirks']);
  const detect = reader.object('detect');
  detect?.only(['commands', 'versionArgs']);
  const commands = detect?.texts('commands') ?? [];
  // A bare name: nothing that leads to a file of its own choice, and nothing that reads as a flag.
  if (!commands.every((command) => programName.test(command))) {
    detect?.fault('commands', 'expected names of programs, without a path');
  }
  const versionArgs = detect?.texts('versionArgs');
  if (
    versionArgs !== undefined &&
    !(versionArgs.length === 1 && versionQuestions.includes(versionArgs[0] ?? ''))
  ) {
    detect?.fault('versionArgs', `expected one of ${versionQuestions.join(', ')}`);
  }
  const start = reader.object('start');
  start?.only(['args', 'env', 'requires']);
  const requires = start?.texts('requires') ?? [];
  if (!requires.every((command) => programName.test(command))) {
    start?.fault('requires', 'expected names of programs, without a path');
  }
  const alias = Object.hasOwn(reader.raw, 'alias')
    ? reader.required('alias', entryId, 'small letters, digits and hyphens, a letter first')
    : undefined;
  const signIn = readSignIn(reader);
  const files = Object.hasOwn(reader.raw, 'files')
    ? reader.required('files', /^write$/u, 'the word "write"')
    : undefined;
  const askMode = Object.hasOwn(reader.raw, 'askMode') ? reader.required('askMode') : undefined;
  return {
    ...(alias !== undefined && { alias }),
    commands,
    ...(versionArgs !== undefined && { versionArgs }),
    args: start?.texts('args') ?? [],
    env: start === undefined ? {} : readVariables(start),
    requires,
    ...(signIn !== undefined && { signIn }),
    ...(files !== undefined && { files: 'write' }),
    ...(askMode !== undefined && { askMode }),
    quirks: reader.texts('quirks') ?? [],
  };
}

const programName = /^[\w][\w.+-]*$/u;

function readSignIn(running: EntryReader): SignIn | undefined {
  const reader = running.object('signIn');
  if (reader === undefined) return undefined;
  reader.only(['hint', 'variables', 'method']);
  const method = Object.hasOwn(reader.raw, 'method') ? reader.required('method') : undefined;
  return {
    hint: reader.required('hint'),
    variables: reader.texts('variables') ?? [],
    ...(method !== undefined && { method }),
  };
}

/** Of an entry which the registry alone describes: the program in its archive is what an installed one is called. */
function guessRunning({ binary = [] }: Distribution): RunningNotes {
  const [first] = binary;
  const command =
    first?.command
      .split(/[/\\]/u)
      .at(-1)
      ?.replace(/\.(?:exe|cmd|bat)$/iu, '') ?? '';
  return {
    commands: programName.test(command) ? [command] : [],
    args: first?.args ?? [],
    env: first?.env ?? {},
    requires: [],
    quirks: [],
  };
}

const url = /^https?:\/\/[^\s/]+/u;

function readUrl(reader: EntryReader, name: string): string | undefined {
  return Object.hasOwn(reader.raw, name) ? reader.required(name, url, 'a URL') : undefined;
}

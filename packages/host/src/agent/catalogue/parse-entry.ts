import { hostFault } from '@parley/workspace';
import {
  anyObject,
  checked,
  checkValue,
  fields,
  isObject,
  knownFields,
  oneOf,
  optional,
  type Fault,
  type FieldsOf,
  type OptionalField,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';
import type {
  BinaryDistribution,
  CatalogueEntry,
  Distribution,
  PackageDistribution,
  RunningNotes,
  SignIn,
} from './catalogue-entry.ts';
import { pinNpmPackage, pinPythonPackage } from './pinned-package.ts';

/** The parsed entry, or all its faults with their locations. */
export type ParsedEntry =
  | { readonly kind: 'entry'; readonly entry: CatalogueEntry }
  | { readonly kind: 'faulty'; readonly faults: readonly string[] };

/**
 * Parses an entry in the format of the public registry. Unknown fields are preserved in `raw`; invalid ones make the
 * entry invalid.
 */
export function parseEntry(value: unknown): ParsedEntry {
  const checkedEntry = checkValue(entryFields, value);
  if (!checkedEntry.isTyped || checkedEntry.faults.length > 0) {
    return { kind: 'faulty', faults: checkedEntry.faults.map(faultText) };
  }
  const { repository, website = repository, license, authors = [], parley, ...entry } = checkedEntry.value;
  const { id, name, version, description } = entry;
  const distribution = toDistribution(entry.distribution, version);
  if (typeof distribution === 'string') return { kind: 'faulty', faults: [distribution] };
  return {
    kind: 'entry',
    entry: {
      id,
      name,
      version,
      description,
      ...(website !== undefined && { website }),
      ...(license !== undefined && { license }),
      authors,
      distribution,
      running: parley === undefined ? guessRunning(distribution) : toRunning(parley),
      raw: v.parse(anyObject, value),
    },
  };
}

function faultText({ kind, path, reason }: Fault): string {
  const place = path.length === 0 ? 'the entry' : path.join('.');
  switch (kind) {
    case 'missing':
      return `${place}: is missing`;
    case 'type':
      return `${place}: expected ${reason}`;
    case 'unknown':
    case 'value':
      return `${place}: ${reason}`;
  }
}

const known = <const Entries extends v.ObjectEntries>(entries: Entries): Schema<FieldsOf<Entries>> =>
  knownFields(entries, () => 'is not allowed here');

const matching = (pattern: RegExp, what: string): Schema<string> =>
  v.custom<string>((value) => typeof value === 'string' && pattern.test(value), what);

const word = matching(/./su, 'text that is not empty');
const url = matching(/^https?:\/\/[^\s/]+/u, 'a URL');

/** What an entry may be called; such a name is also a safe name of a file. */
const entryId = matching(/^[a-z][a-z\d-]{0,63}$/u, 'small letters, digits and hyphens, a letter first');

const texts: Schema<readonly string[]> = v.custom<readonly string[]>(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'a list of texts',
);

const environment: Schema<Readonly<Record<string, string>>> = checked(
  v.custom<Readonly<Record<string, string>>>(
    (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
    'an object of texts',
  ),
  (env) =>
    Object.keys(env).every((name) => /^[^=\0]+$/u.test(name)) ? undefined : 'has a name no variable has',
);

const programName = /^[\w][\w.+-]*$/u;

/** Bare program names: no paths, and nothing that looks like a flag. */
const programs = checked(texts, (names) =>
  names.every((name) => programName.test(name)) ? undefined : 'expected names of programs, without a path',
);

/** The only arguments with which a program is run to find its version. */
const versionQuestions = ['--version', '-v', '-V', 'version'];

const versionArgs = checked(texts, (args) =>
  args.length === 1 && versionQuestions.includes(args[0] ?? '')
    ? undefined
    : `expected one of ${versionQuestions.join(', ')}`,
);

/** Files below the home folder; only their existence is checked. */
const homeFiles = checked(texts, (files) =>
  files.some((file) => /^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)/u.test(file))
    ? 'expected paths below the home folder'
    : undefined,
);

/** Folders that only the agent uses, so that a sandbox does not expose files of other programs. */
const stateDirs = checked(texts, (dirs) =>
  dirs.every((dir) => /^~\/(?!\.{1,2}(?:\/|$))[^\0]+$/u.test(dir) && !/(?:^|\/)\.\.(?:\/|$)/u.test(dir))
    ? undefined
    : 'expected paths that begin with "~/"',
);

const hosts = checked(texts, (names) =>
  names.every((name) => hostFault(name) === undefined)
    ? undefined
    : 'expected hosts, like "example.com", "example.com:8443" or "*.example.com"',
);

const invocation = { args: optional(texts), env: optional(environment) };
const packageFields = known({ package: word, ...invocation });
const target = known({
  archive: url,
  sha256: optional(matching(/^[a-f\d]{64}$/iu, '64 hexadecimal digits')),
  cmd: word,
  ...invocation,
});

type BinaryFields = v.InferOutput<typeof target>;

const platforms: Readonly<Record<string, OptionalField<BinaryFields>>> = {
  'darwin-aarch64': optional(target),
  'darwin-x86_64': optional(target),
  'linux-aarch64': optional(target),
  'linux-x86_64': optional(target),
  'windows-aarch64': optional(target),
  'windows-x86_64': optional(target),
};

const distributionFields = checked(
  known({
    npx: optional(packageFields),
    uvx: optional(packageFields),
    binary: optional(
      checked(known(platforms), (targets) =>
        Object.keys(targets).length === 0 ? 'names no platform' : undefined,
      ),
    ),
  }),
  (ways) => (Object.keys(ways).length === 0 ? 'says no way to get the agent' : undefined),
);

const runningFields = known({
  alias: optional(entryId),
  detect: optional(known({ commands: optional(programs), versionArgs: optional(versionArgs) })),
  start: optional(known({ ...invocation, requires: optional(programs) })),
  signIn: optional(
    known({
      hint: word,
      variables: optional(texts),
      method: optional(word),
      refuses: optional(oneOf(['sessions', 'prompts'])),
      credentials: optional(known({ files: optional(homeFiles), variables: optional(texts) })),
    }),
  ),
  files: optional(v.literal('write', 'the word "write"')),
  askMode: optional(word),
  asRoot: optional(known({ variable: matching(/^[A-Za-z_]\w*$/u, 'the name of a variable'), hint: word })),
  sandbox: optional(
    known({ stateDirs: optional(stateDirs), hosts: optional(hosts), env: optional(environment) }),
  ),
  quirks: optional(texts),
});

const entryFields = fields({
  version: matching(/^\d+\.\d+\.\d+/u, 'a version such as 1.2.3'),
  repository: optional(url),
  website: optional(url),
  license_url: optional(url),
  icon: optional(word),
  license: optional(word),
  distribution: distributionFields,
  id: entryId,
  name: word,
  description: word,
  authors: optional(texts),
  parley: optional(runningFields),
});

/** The ways to get an agent, each package in one exact version, or what is wrong with one. */
function toDistribution(
  { npx, uvx, binary }: v.InferOutput<typeof distributionFields>,
  version: string,
): Distribution | string {
  const npm = npx === undefined ? undefined : pinNpmPackage(npx.package, version);
  if (npx !== undefined && npm === undefined) return unpinned('npx', 'npm');
  const python = uvx === undefined ? undefined : pinPythonPackage(uvx.package, version);
  if (uvx !== undefined && python === undefined) return unpinned('uvx', 'PyPI');
  return {
    ...(npm !== undefined && { npx: { package: npm, ...toInvocation(npx) } }),
    ...(python !== undefined && { uvx: { package: python, ...toInvocation(uvx) } }),
    ...(binary !== undefined && { binary: Object.entries(binary).flatMap(toBinary) }),
  };
}

function unpinned(way: string, registry: string): string {
  return `distribution.${way}.package: expected the name of a package of ${registry}, with one exact version or none`;
}

type Invocation = Pick<PackageDistribution, 'args' | 'env'>;

function toInvocation({ args = [], env = {} }: Partial<Invocation> = {}): Invocation {
  return { args, env };
}

function toBinary([platform, binary]: [string, BinaryFields | undefined]): readonly BinaryDistribution[] {
  if (binary === undefined) return [];
  const { archive, cmd, ...others } = binary;
  return [{ platform, archive, command: cmd, ...toInvocation(others) }];
}

function toRunning({
  detect,
  start,
  signIn,
  sandbox,
  ...notes
}: v.InferOutput<typeof runningFields>): RunningNotes {
  const { quirks = [], ...others } = notes;
  return {
    ...others,
    commands: detect?.commands ?? [],
    ...(detect?.versionArgs !== undefined && { versionArgs: detect.versionArgs }),
    ...toInvocation(start),
    requires: start?.requires ?? [],
    ...(signIn !== undefined && { signIn: toSignIn(signIn) }),
    ...(sandbox !== undefined && {
      sandbox: { stateDirs: sandbox.stateDirs ?? [], hosts: sandbox.hosts ?? [], env: sandbox.env ?? {} },
    }),
    quirks,
  };
}

type SignInFields = NonNullable<v.InferOutput<typeof runningFields>['signIn']>;

function toSignIn({ variables = [], credentials, ...notes }: SignInFields): SignIn {
  return {
    ...notes,
    variables,
    ...(credentials !== undefined && {
      credentials: { files: credentials.files ?? [], variables: credentials.variables ?? [] },
    }),
  };
}

/**
 * For an entry that only the registry describes: assumes that an installed program has the same name as the one in
 * its archive.
 */
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

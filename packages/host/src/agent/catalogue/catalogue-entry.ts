/** An agent as data: an entry of the public registry, with the field `parley`, which describes how to run it. */
export interface CatalogueEntry {
  readonly id: string;
  /** The display name. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** A page about the agent: its website, else its repository. */
  readonly website?: string;
  readonly license?: string;
  readonly authors: readonly string[];
  readonly distribution: Distribution;
  readonly running: RunningNotes;
  /** The unmodified entry, with unknown fields. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** The distributions of an agent, at least one. */
export interface Distribution {
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  readonly binary?: readonly BinaryDistribution[];
}

/** A package that a package manager installs and starts. */
export interface PackageDistribution {
  /** The package with an exact version: tags and ranges are never used. */
  readonly package: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An archive for one platform, such as `linux-x86_64`. Parley never downloads it. */
export interface BinaryDistribution {
  readonly platform: string;
  readonly archive: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The field `parley` of an entry. */
export interface RunningNotes {
  /** A short name, in addition to the id. */
  readonly alias?: string;
  /** Programs on `PATH` that are this agent, in order of preference. */
  readonly commands: readonly string[];
  /** The arguments with which such a program prints its version; absent if it cannot. */
  readonly versionArgs?: readonly string[];
  /** The arguments and variables with which such a program speaks ACP. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Other programs that must be on `PATH`. */
  readonly requires: readonly string[];
  readonly signIn?: SignIn;
  /** It may only write files through the client: it reads files itself, and treats a rejected read as a failure. */
  readonly files?: 'write';
  /** The mode in which the agent asks before it changes something. */
  readonly askMode?: string;
  /** What it needs to run as root, if it otherwise refuses that. */
  readonly asRoot?: AsRoot;
  /** What it needs in a sandbox. */
  readonly sandbox?: SandboxNeeds;
  /** Known limitations, one sentence each. */
  readonly quirks: readonly string[];
}

/** What an agent needs in a sandbox besides the folders of its session. */
export interface SandboxNeeds {
  /** Its own folders and files; `~/` is the home folder. */
  readonly stateDirs: readonly string[];
  /** Its hosts, as `host`, `*.host` or `host:port`. */
  readonly hosts: readonly string[];
  /** Variables that it has in a sandbox only; `~/` at the beginning is the home folder. */
  readonly env: Readonly<Record<string, string>>;
}

/** An agent that does not run as root. */
export interface AsRoot {
  /** The variable with which it does. */
  readonly variable: string;
  /** What to do. */
  readonly hint: string;
}

/** How a user signs in to an agent. */
export interface SignIn {
  readonly hint: string;
  /** Variables that replace the sign-in. */
  readonly variables: readonly string[];
  /** The agent's method that uses one of these variables: it ignores them until the method is called. */
  readonly method?: string;
  /** What the agent refuses to a user who is not signed in. @default unknown */
  readonly refuses?: 'sessions' | 'prompts';
  /** Evidence that a user is signed in, for an agent that opens sessions without a sign-in. */
  readonly credentials?: {
    /** Paths below the home folder. */
    readonly files: readonly string[];
    /** Variables beside those that replace a sign-in. */
    readonly variables: readonly string[];
  };
}

/** Returns the short name of an agent, else its id. */
export function entryName(entry: CatalogueEntry): string {
  return entry.running.alias ?? entry.id;
}

/** The agent of this name, short or whole. */
export function findEntry(entries: readonly CatalogueEntry[], name: string): CatalogueEntry | undefined {
  return entries.find((entry) => entryName(entry) === name || entry.id === name);
}

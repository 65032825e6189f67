/** An agent as data: an entry of the public registry, and under `parley` what is needed to run it well. */
export interface CatalogueEntry {
  readonly id: string;
  /** What people read. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Where it is explained: its website, else its repository. */
  readonly website?: string;
  readonly license?: string;
  readonly authors: readonly string[];
  readonly distribution: Distribution;
  readonly running: RunningNotes;
  /** The entry as it was read, with fields that mean nothing here. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** How an agent can be had; at least one way is there. */
export interface Distribution {
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  readonly binary?: readonly BinaryDistribution[];
}

/** A package which a package manager fetches and starts. */
export interface PackageDistribution {
  /** The package with one exact version, regardless of the entry: nothing floating is ever started. */
  readonly package: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An archive for one platform, such as `linux-x86_64`. It is never downloaded by us. */
export interface BinaryDistribution {
  readonly platform: string;
  readonly archive: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What the registry does not say about an agent: the field `parley` of an entry. */
export interface RunningNotes {
  /** A short name for it, beside its id. */
  readonly alias?: string;
  /** Programs on `PATH` that are this agent, the best first. */
  readonly commands: readonly string[];
  /** What makes such a program print its version and end; absent for one that has nothing of the kind. */
  readonly versionArgs?: readonly string[];
  /** The arguments and variables with which such a program speaks ACP. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Programs that have to be on `PATH` besides. */
  readonly requires: readonly string[];
  readonly signIn?: SignIn;
  /** Of the user's files it is served only the writing: it reads by itself, and takes a refused reading for a failure. */
  readonly files?: 'write';
  /** The mode in which it asks before it changes anything: for who has to be asked. */
  readonly askMode?: string;
  /** What one should know, a sentence each. */
  readonly quirks: readonly string[];
}

/** How a user signs in to an agent. */
export interface SignIn {
  readonly hint: string;
  /** Variables that replace it. */
  readonly variables: readonly string[];
  /** The agent's own way to sign in that takes one of these variables: it does not look at them before it is asked to. */
  readonly method?: string;
}

/** What people call an agent: its short name where it has one. */
export function entryName(entry: CatalogueEntry): string {
  return entry.running.alias ?? entry.id;
}

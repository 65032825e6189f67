/** What holds a process on this machine. */
export type SandboxEngine =
  | { readonly name: 'bubblewrap'; readonly program: string }
  /** Its namespaces are set up by Perl. */
  | { readonly name: 'unshare'; readonly program: string; readonly perl: string }
  | { readonly name: 'sandbox-exec'; readonly program: string };

/** An engine that uses namespaces. */
export type LinuxSandboxEngine = Exclude<SandboxEngine, { readonly name: 'sandbox-exec' }>;

/** The name of an engine. */
export type SandboxEngineName = SandboxEngine['name'];

/** Why no engine was found. */
export interface MissingSandboxEngine {
  readonly name: 'none';
  /** What is missing, as a sentence without its full stop. */
  readonly problem: string;
  /** The command that installs the engine, if one can. */
  readonly advice?: string;
}

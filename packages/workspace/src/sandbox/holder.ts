/** Runs command lines in the sandbox of one engine. */
export interface Holder {
  /** The program to start outside of the sandbox. */
  readonly command: string;
  /** The path of the temporary folder inside. */
  readonly temporary: string;
  /** The path of the folder of the stage inside. */
  readonly stage: string;
  /** Returns the arguments of `command` that run a command line inside. */
  argumentsFor(held: HeldLine): HeldArguments;
}

/** How a command line is started. */
export interface HeldArguments {
  readonly args: readonly string[];
  /** Existing paths without which the engine fails, should they be removed before it has mounted or hidden them. */
  readonly mounted: readonly string[];
}

/** A command line to be held. */
export interface HeldLine {
  readonly line: readonly string[];
  readonly cwd: string;
  /** Where the stage writes its result, and the engine its messages. */
  readonly report: string;
  readonly log: string;
}

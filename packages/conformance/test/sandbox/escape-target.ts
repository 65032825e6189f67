/** What the attempts of an escape are about: paths, ports and processes outside of the sandbox. */
export interface EscapeTarget {
  /** The session's folder, a repository with another one in `vendor/lib`. */
  readonly workspace: string;
  /** A folder beside it, with `secret.txt` and the socket `service.sock`. */
  readonly outside: string;
  readonly home: string;
  /** Parley's own state. */
  readonly state: string;
  /** A file in the folder for temporary files. */
  readonly temporaryFile: string;
  /** Listeners on the loopback interface. */
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly abstractSocket: string;
  /** A web server on the loopback interface that the sandbox's list names, and one that it does not. */
  readonly listedPort: number;
  readonly otherPort: number;
  readonly dnsPort: number;
  /** A process of the same user, and a word in its environment. */
  readonly process: number;
  /** A key of a System V shared memory segment. */
  readonly sharedMemory: number;
}

/** What all secret files contain. */
export const secret = 'the secret outside';

/** One way out. Resolves with whether it led out; a rejection means that it did not. */
export type EscapeAttempt = (target: EscapeTarget) => boolean | Promise<boolean>;

/** The result of an attempt. */
export interface EscapeResult {
  readonly name: string;
  readonly escaped: boolean;
  /** What stopped it. */
  readonly reason?: string;
}

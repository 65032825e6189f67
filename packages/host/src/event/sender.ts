/** The sender of a prompt or an answer, if there can be several. */
export interface Sender {
  /** The name of the token. */
  readonly person?: string;
  /** The client. */
  readonly client?: ClientName;
}

/** The name and version that a client reported. */
export interface ClientName {
  readonly name: string;
}

/** Who sent a prompt or an answer, where several people may. */
export interface Sender {
  /** The name of their token. */
  readonly person?: string;
  /** The client they used. */
  readonly client?: ClientName;
}

/** A client, as it introduced itself. */
export interface ClientName {
  readonly name: string;
}

/** A short text that processes on several machines share, such as a row of a database. */
export interface SharedDocument {
  /** For messages. */
  readonly name: string;
  /** The text; undefined before it is first stored. It comes from memory while no change was announced. */
  read(): Promise<string | undefined>;
  /** Replaces the text. Simultaneous changes come one after another, each with what the one before has left. */
  change(change: (text: string | undefined) => Promise<string>): Promise<void>;
  /** Reads the text again: a change may not have been announced yet. */
  reread(): Promise<void>;
  /** Calls a function after changes, also of other processes, until the result is disposed of. */
  listen(listener: () => void): Disposable;
}

/** Where a list is stored: in a file, or in a document that several machines share. */
export type ListPlace = string | SharedDocument;

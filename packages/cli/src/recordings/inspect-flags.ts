/** The flags of `parley inspect`, as typed. */
export interface TypedInspectFlags {
  readonly file: string;
  readonly session?: string;
  readonly method?: string;
  readonly errors?: boolean;
  readonly json?: boolean;
  readonly body: boolean;
}

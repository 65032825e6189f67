/** The fields of a rejection in addition to its code and text. */
export interface RefusalOptions {
  /** The request that is refused, as the log names it. */
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error as every path of the gateway answers it: a text for people, a word for programs. */
export function refusal(
  status: number,
  code: string,
  error: string,
  { requestId, headers }: RefusalOptions = {},
): Response {
  return Response.json(
    { error, code, ...(requestId !== undefined && { requestId }) },
    { status, ...(headers !== undefined && { headers }) },
  );
}

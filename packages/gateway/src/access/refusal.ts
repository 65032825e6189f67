/** An error as every path of the gateway answers it: a text for people, a word for programs. */
export function refusal(
  status: number,
  code: string,
  error: string,
  options: { readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return Response.json({ error, code }, { status, ...options });
}

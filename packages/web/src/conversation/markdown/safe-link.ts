/** The target of a link, if its kind of address may be opened. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !/^(?:https?|mailto):/i.test(address)) return undefined;
  return URL.canParse(address) ? address : undefined;
}

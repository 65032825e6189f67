/** Where a link leads, if it is a kind of address that may be opened from here. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !/^(?:https?|mailto):/i.test(address)) return undefined;
  return URL.canParse(address) ? address : undefined;
}

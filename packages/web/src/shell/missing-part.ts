/**
 * Whether a part of the page could not be loaded: the network is away, or the server has another version by now. Browsers
 * have no name for it, each says it in words of its own; that of style sheets is said by what loads them.
 */
export function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|module script failed|preload CSS/iu.test(
      error.message,
    )
  );
}

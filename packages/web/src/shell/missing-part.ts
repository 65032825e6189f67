/**
 * Whether a part of the page could not be loaded: the network is down, or the server has another version. Browsers
 * report this with different messages; that of style sheets comes from their loader.
 */
export function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|module script failed|preload CSS/iu.test(
      error.message,
    )
  );
}

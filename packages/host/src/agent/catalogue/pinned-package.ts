const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const npmPackage = /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~][\w.~-]*)(?:@([^\s@]*))?$/i;
const pythonPackage = /^([a-z\d](?:[\w.-]*[a-z\d])?(?:\[[\w,.-]*\])?)(?:(?:==|@)([^\s=@]+))?$/i;
const pythonVersion = /^\d[\w.!+-]*$/;

/**
 * Pins an npm package to one exact version: its own, else that of its entry, so that a version published a minute ago
 * is never started. Undefined if the specifier is not a name in the npm registry, such as a path or URL.
 */
export function pinNpmPackage(specifier: string, entryVersion: string): string | undefined {
  const [, name, version] = npmPackage.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const pinned = version !== undefined && exactVersion.test(version) ? version : entryVersion;
  return exactVersion.test(pinned) ? `${name}@${pinned}` : undefined;
}

/** The same for a package of PyPI. */
export function pinPythonPackage(specifier: string, entryVersion: string): string | undefined {
  const [, name, version] = pythonPackage.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const pinned = version !== undefined && pythonVersion.test(version) ? version : entryVersion;
  return pythonVersion.test(pinned) ? `${name}==${pinned}` : undefined;
}

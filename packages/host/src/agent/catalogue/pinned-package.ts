const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;
const npmPackage = /^((?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~][\w.~-]*)(?:@([^\s@]*))?$/i;
const pythonPackage = /^([a-z\d](?:[\w.-]*[a-z\d])?(?:\[[\w,.-]*\])?)(?:(?:==|@)([^\s=@]+))?$/i;
const pythonVersion = /^\d[\w.!+-]*$/;

/**
 * An npm package with one exact version: its own, or else that of its entry, so that no user starts what was published
 * a minute ago. Undefined for what is no name in the npm registry, such as a path or an address.
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

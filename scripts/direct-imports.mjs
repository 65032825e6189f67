import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Has modules import from the files that define a name, in place of the entries of our packages. A bundler that splits its output
 * cannot see which of an entry's modules an import needs: without this, one name of a package loads all that any command uses of it.
 *
 * @param {ReadonlyMap<string, string>} entries The files of these entries, by the words of an import.
 * @returns {import('rolldown').Plugin}
 */
export function directImports(entries) {
  /** @type {Map<string, Module>} */
  const read = new Map();

  /** @param {string} file */
  const moduleIn = (file) => {
    const known = read.get(file);
    if (known !== undefined) return known;
    const parsed = parseSync(file, readFileSync(file, 'utf8')).module;
    read.set(file, parsed);
    return parsed;
  };

  /**
   * The file that an import in a file means; undefined for one of another project.
   *
   * @param {string} file
   * @param {string} request
   */
  const fileOf = (file, request) =>
    request.startsWith('.') ? resolve(dirname(file), request) : entries.get(request);

  /**
   * Where a name that a file exports is defined.
   *
   * @param {string | undefined} file
   * @param {string} name
   * @returns {{ readonly file: string; readonly name: string } | undefined}
   */
  const definition = (file, name) => {
    if (file === undefined) return undefined;
    const exported = moduleIn(file).staticExports.flatMap(({ entries: list }) => list);
    const found = exported.find((entry) => entry.exportName.name === name);
    if (found !== undefined) {
      if (found.moduleRequest === null) return { file, name };
      const { importName, moduleRequest } = found;
      return definition(fileOf(file, moduleRequest.value), importName.name ?? name) ?? { file, name };
    }
    for (const { exportName, moduleRequest } of exported) {
      // Only `export *` has no name.
      if (exportName.name !== null || moduleRequest === null) continue;
      const inside = definition(fileOf(file, moduleRequest.value), name);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };

  /** @param {StaticImport} statement */
  const direct = ({ moduleRequest, entries: names }) => {
    const entry = entries.get(moduleRequest.value);
    if (entry === undefined) return undefined;
    // The namespace, or the default export, of a package is not that of one of its files.
    if (names.some(({ importName }) => importName.name === null)) return undefined;
    return names
      .filter(({ isType }) => !isType)
      .map(({ importName, localName }) => {
        const wanted = importName.name ?? '';
        const { file, name } = definition(entry, wanted) ?? { file: entry, name: wanted };
        return `import { ${name} as ${localName.value} } from ${JSON.stringify(file)};`;
      })
      .join(' ');
  };

  return {
    name: 'direct-imports',
    transform: {
      filter: { id: /\.tsx?$/, code: '@parley/' },
      handler(code, id) {
        let text = code;
        // From the end, so that the places of those before stay.
        for (const statement of parseSync(id, code).module.staticImports.toReversed()) {
          const replacement = direct(statement);
          if (replacement === undefined) continue;
          const { start, end } = statement;
          // Lines stay where they are, for source maps.
          const lines = code.slice(start, end).split('\n').length - 1;
          text = `${text.slice(0, start)}${replacement}${'\n'.repeat(lines)}${text.slice(end)}`;
        }
        return { code: text, map: null };
      },
    },
  };
}

/** @typedef {import('oxc-parser').EcmaScriptModule} Module */
/** @typedef {import('oxc-parser').StaticImport} StaticImport */

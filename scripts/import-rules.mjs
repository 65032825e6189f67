import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {object} Package
 * @property {string} folder Below the root, with slashes: `packages/wire`.
 * @property {string} name
 * @property {readonly string[]} entries The source files behind its `exports`, below the root.
 * @property {readonly string[]} dependencies
 * @property {readonly string[]} devDependencies
 *
 * @typedef {object} Workspace
 * @property {readonly Package[]} packages
 * @property {readonly string[]} devDependencies Those of the root, which tests may use.
 *
 * @typedef {object} SourceFile
 * @property {string} path Below the root, with slashes.
 * @property {string} text
 *
 * @typedef {object} Violation
 * @property {string} path
 * @property {number} line
 * @property {string} rule
 * @property {string} message
 */

/** Imports go down, never sideways: a package may use those with a smaller number. */
const layers = new Map([
  ['@parley/wire', 0],
  ['@parley/acp', 1],
  ['@parley/aap', 1],
  ['@parley/recording', 1],
  ['@parley/workspace', 1],
  ['@parley/agent', 2],
  ['@parley/host', 2],
  ['@parley/conformance', 2],
  ['@parley/postgres', 3],
  ['@parley/gateway', 3],
  ['@parley/web', 3],
  ['parley-acp', 4],
]);

/** Runs where there is no Node, outside `src/node/`. */
const neutralPackages = new Set([
  '@parley/wire',
  '@parley/acp',
  '@parley/aap',
  '@parley/recording',
  '@parley/agent',
]);

/** Needs Node as a whole, so that it is out of reach of neutral code. */
const nodePackages = new Set(['@parley/workspace', '@parley/host', '@parley/postgres', '@parley/gateway']);

/** Runs in browsers: what it may use of our packages. */
const browserPackage = '@parley/web';
const browserEntries = new Set([
  '@parley/wire',
  '@parley/acp',
  '@parley/acp/unstable',
  '@parley/host/hub',
  '@parley/host/state',
  '@parley/recording',
  '@parley/workspace/rule',
]);

/** Entries of packages for Node that need none of it themselves. */
const neutralEntries = new Set(['@parley/workspace/rule']);

/** May not bring anything along. */
const packagesWithoutDependencies = new Set(['@parley/wire', '@parley/acp']);

/** A generated list of the schema's names, which an entry passes on as a whole. */
const generatedList = /^packages\/acp\/src\/schema\/v\d+\/(un)?stable\.ts$/;

/** Generated with one file per concept of the schema, and its concepts refer to each other. */
const generatedSchema = 'packages/acp/src/schema/';

const conformance = '@parley/conformance';
const command = 'parley-acp';

/**
 * What the imports and re-exports of one file break of the rules in ARCHITECTURE.md.
 *
 * @param {SourceFile} file
 * @param {Workspace} workspace
 * @returns {Violation[]}
 */
export function judgeFile(file, workspace) {
  const home = workspace.packages.find(({ folder }) => file.path.startsWith(`${folder}/`));
  if (home === undefined) return [];
  const { imports, reExports, exportsAll } = readModule(file);
  const isTest = isTestFile(file.path, home);
  const isNeutral =
    neutralPackages.has(home.name) && !isTest && !file.path.startsWith(`${home.folder}/src/node/`);
  const place = { file, home, isTest, isNeutral, workspace };

  /** @type {Violation[]} */
  const violations = [];
  /** @type {(offset: number, broken: readonly [rule: string, message: string] | undefined) => void} */
  const add = (offset, broken) => {
    if (broken === undefined) return;
    violations.push({
      path: file.path,
      line: lineAt(file.text, offset),
      rule: broken[0],
      message: broken[1],
    });
  };
  for (const [offset, specifier] of imports) {
    add(offset, specifier.startsWith('.') ? judgeRelative(specifier, place) : judgeNamed(specifier, place));
  }
  for (const offset of exportsAll) {
    const target = posix.join(posix.dirname(file.path), imports.get(offset) ?? '');
    if (!generatedList.test(target)) add(offset, ['export-all', 'list each export by name']);
  }
  if (!home.entries.includes(file.path) && !generatedList.test(file.path)) {
    for (const offset of reExports) add(offset, ['re-export', 'only an entry of the package re-exports']);
  }
  return violations;
}

/**
 * What the manifests break of the same rules.
 *
 * @param {Workspace} workspace
 * @returns {Violation[]}
 */
export function judgeManifests({ packages }) {
  return packages.flatMap(({ name, folder, dependencies }) => {
    const path = `${folder}/package.json`;
    const foreign = dependencies.filter((dependency) => !layers.has(dependency));
    const up = dependencies.filter((dependency) => layerOf(dependency) >= layerOf(name));
    return [
      ...(layers.has(name) ? [] : [{ path, line: 1, rule: 'unplaced', message: `${name} has no layer yet` }]),
      ...(packagesWithoutDependencies.has(name) ? foreign : []).map((dependency) => ({
        path,
        line: 1,
        rule: 'no-dependency',
        message: `${name} has no runtime dependency, not even ${dependency}`,
      })),
      ...up.map((dependency) => ({
        path,
        line: 1,
        rule: 'down',
        message: `${name} is not above ${dependency}`,
      })),
    ];
  });
}

/**
 * Files of one package that import each other in a circle. Imports of types count: such files cannot be
 * understood, moved or tested one at a time. A file is named in one
 * circle only, the shortest through it.
 *
 * @param {readonly SourceFile[]} files
 * @returns {Violation[]}
 */
export function judgeCycles(files) {
  const judged = files.filter(({ path }) => !path.startsWith(generatedSchema));
  const paths = new Set(judged.map(({ path }) => path));
  const graph = new Map(judged.map((file) => [file.path, importedFiles(file, paths)]));
  /** @type {Set<string>} */
  const reported = new Set();
  return judged.flatMap(({ path }) => {
    const cycle = reported.has(path) ? undefined : shortestCycle(path, graph);
    if (cycle === undefined) return [];
    for (const entangled of cycle) reported.add(entangled);
    return [
      {
        path,
        line: graph.get(path)?.get(cycle[1] ?? path) ?? 1,
        rule: 'cycle',
        message: `imports itself: ${[...cycle, path].join(' -> ')}. Move what they share to one place`,
      },
    ];
  });
}

/**
 * The files that a file imports, each with the line of its import.
 *
 * @param {SourceFile} file
 * @param {ReadonlySet<string>} paths
 * @returns {ReadonlyMap<string, number>}
 */
function importedFiles(file, paths) {
  return new Map(
    [...readModule(file).imports]
      .map(
        /** @returns {[target: string, line: number]} */ ([offset, specifier]) => [
          specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : '',
          lineAt(file.text, offset),
        ],
      )
      .filter(([target]) => paths.has(target)),
  );
}

/**
 * @param {string} start
 * @param {ReadonlyMap<string, ReadonlyMap<string, number>>} graph
 * @returns {string[] | undefined}
 */
function shortestCycle(start, graph) {
  /** By each file found, the file that imports it. */
  const importers = new Map();
  const queue = [start];
  for (const path of queue) {
    for (const target of graph.get(path)?.keys() ?? []) {
      if (target === start) {
        const cycle = [path];
        for (let at = path; at !== start;) {
          at = importers.get(at);
          cycle.unshift(at);
        }
        return cycle;
      }
      if (importers.has(target)) continue;
      importers.set(target, path);
      queue.push(target);
    }
  }
  return undefined;
}

/**
 * @typedef {object} Place
 * @property {SourceFile} file
 * @property {Package} home
 * @property {boolean} isTest
 * @property {boolean} isNeutral
 * @property {Workspace} workspace
 */

/**
 * @param {string} specifier
 * @param {Place} place
 * @returns {readonly [rule: string, message: string] | undefined}
 */
function judgeRelative(specifier, { file, home, isTest, isNeutral }) {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (!target.startsWith(`${home.folder}/`)) {
    return ['by-name', `${specifier} leaves the package: import another package by its name`];
  }
  if (isTest) return undefined;
  if (!/\.(tsx?|json|css)$/.test(specifier)) {
    return ['extension', `${specifier} does not end in .ts, .tsx, .json or .css`];
  }
  if (isTestFile(target, home)) return ['test-only', `${specifier} is for tests`];
  if (isNeutral && target.startsWith(`${home.folder}/src/node/`)) {
    return ['neutral', `${specifier} needs Node: only src/node/ may import it`];
  }
  return undefined;
}

/**
 * @param {string} specifier
 * @param {Place} place
 * @returns {readonly [rule: string, message: string] | undefined}
 */
function judgeNamed(specifier, { home, isTest, isNeutral, workspace }) {
  if (isBuiltin(specifier)) {
    if (!specifier.startsWith('node:')) return ['builtin', `write node:${specifier}`];
    const isForNode = !isNeutral && (home.name !== browserPackage || isTest);
    return isForNode ? undefined : ['neutral', `${specifier} needs Node: only src/node/ may import it`];
  }
  const name = packageOf(specifier);
  if (home.name === browserPackage && !isTest && layers.has(name) && !browserEntries.has(specifier)) {
    return ['browser', `${specifier} is not for browsers: ${[...browserEntries].join(', ')} are`];
  }
  const needsNode = nodePackages.has(name) || (layers.has(name) && specifier.endsWith('/node'));
  if (isNeutral && needsNode && !neutralEntries.has(specifier)) {
    return ['neutral', `${specifier} needs Node: only src/node/ may import it`];
  }
  if (name === home.name) {
    return isTest ? undefined : ['by-name', `${specifier} is this package: import the file`];
  }
  if (name === conformance) {
    return isTest || home.name === command
      ? undefined
      : ['test-only', `${name} is for tests and the command`];
  }
  if (layers.has(name) && layerOf(name) >= layerOf(home.name)) {
    return ['down', `${home.name} is not above ${name}: imports go down, never sideways`];
  }
  const declared = [
    ...home.dependencies,
    // The command is bundled: what is ours is in it and need not be installed.
    ...(isTest ? [...home.devDependencies, ...workspace.devDependencies] : []),
    ...(home.name === command ? home.devDependencies.filter((dependency) => layers.has(dependency)) : []),
  ];
  return declared.includes(name) || (isTest && layers.has(name))
    ? undefined
    : ['declared', `${name} is not in the dependencies of ${home.folder}/package.json`];
}

/**
 * @param {string} path
 * @param {Package} home
 */
function isTestFile(path, { folder }) {
  return /\.(test|fixture)\.tsx?$/.test(path) || path.startsWith(`${folder}/test/`);
}

/**
 * @param {string} text
 * @param {number} offset
 */
function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** @param {string} name */
function layerOf(name) {
  return layers.get(name) ?? -1;
}

/** @param {string} specifier */
function packageOf(specifier) {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * @param {SourceFile} file
 * @returns {{ imports: ReadonlyMap<number, string>; reExports: ReadonlySet<number>; exportsAll: ReadonlySet<number> }}
 */
function readModule({ path, text }) {
  const { program, module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  /** By the offset of the statement: `import { a } from 'b'; export { a };` is an import and a re-export. */
  const imports = new Map(
    module.staticImports.map(({ start, moduleRequest }) => [start, moduleRequest.value]),
  );
  /** @type {Set<number>} */
  const reExports = new Set();
  /** @type {Set<number>} */
  const exportsAll = new Set();
  for (const { start, entries } of module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      if (moduleRequest === null) continue;
      imports.set(start, moduleRequest.value);
      (importName.name === null ? exportsAll : reExports).add(start);
    }
  }
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type === 'Literal' && typeof source.value === 'string') imports.set(start, source.value);
    },
    TSImportType({ source, start }) {
      imports.set(start, source.value);
    },
  }).visit(program);
  return { imports, reExports, exportsAll };
}

import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * @typedef {import('./import-rules.mjs').SourceFile} SourceFile
 *
 * @typedef {object} Unexported
 * @property {string} path Where the type is declared.
 * @property {number} line
 * @property {string} name
 * @property {readonly string[]} chain The names from an export to it: the declaration of each has the next one.
 *
 * @typedef {object} Place
 * @property {string} path
 * @property {string} name
 *
 * @typedef {Place & { readonly isType: boolean }} Exported `isType`: a class cannot be constructed there.
 *
 * @typedef {object} Module
 * @property {ReadonlyMap<string, Declared>} declarations
 * @property {ReadonlyMap<string, Place>} imports By the local name; those of other packages have paths of no file.
 * @property {ReadonlyMap<string, Exported>} exports
 * @property {readonly string[]} exportsAll The files whose exports are passed on as a whole.
 *
 * @typedef {object} Declared
 * @property {number} line
 * @property {boolean} isGeneric Whether it is an alias or an interface with type parameters.
 * @property {readonly Mention[]} mentions
 *
 * @typedef {object} Mention
 * @property {string} name
 * @property {boolean} isStructure Whether it only makes up another type.
 * @property {boolean} isOfValue Whether only users of the class itself see it, not those of an instance.
 *
 * @typedef {object} Span
 * @property {number} start
 * @property {number} end
 */

/** What makes one type from another, whose members or keys are all that is seen. */
const utilities = new Set([
  'Exclude',
  'Extract',
  'NonNullable',
  'Omit',
  'Partial',
  'Pick',
  'Readonly',
  'Required',
]);

/**
 * The types that the exports of a package name and that none of its entries exports: users cannot name what they pass or
 * receive. Sources suffice, because `isolatedDeclarations` demands that they state these types.
 *
 * Looked through instead of demanded are:
 *
 * - types that only make up another one: what an interface extends, what an alias renames, combines or picks from, keys,
 *   and types of values;
 * - aliases and interfaces with type parameters, which compute types or have exported aliases as instances.
 *
 * Not looked at are private members, and constructors and static members of classes that are exported as types only.
 *
 * @param {readonly SourceFile[]} files All of one package.
 * @param {readonly string[]} entries Their paths.
 * @returns {Unexported[]}
 */
export function findUnexported(files, entries) {
  const modules = new Map(files.map((file) => [file.path, readModule(file)]));
  const roots = entries.flatMap((entry) => exportsOf(entry, modules));
  const exported = new Set(roots.map(keyOf));
  const values = new Set(roots.filter(({ isType }) => !isType).map(keyOf));
  /** @type {Map<string, Unexported>} */
  const found = new Map();
  const reached = new Set(exported);
  const queue = roots.map(({ path, name }) => ({ path, name, chain: [name] }));
  for (const { path, name, chain } of queue) {
    const isValue = values.has(keyOf({ path, name }));
    for (const mention of modules.get(path)?.declarations.get(name)?.mentions ?? []) {
      const place = resolve({ path, name: mention.name }, modules);
      const declared = place && modules.get(place.path)?.declarations.get(place.name);
      if (place === undefined || declared === undefined || (mention.isOfValue && !isValue)) continue;
      const key = keyOf(place);
      const next = { ...place, chain: [...chain, place.name] };
      if (!reached.has(key)) queue.push(next);
      reached.add(key);
      const isOpen = exported.has(key) || mention.isStructure || declared.isGeneric;
      if (!isOpen && !found.has(key)) found.set(key, { ...next, line: declared.line });
    }
  }
  return [...found.values()];
}

/** @param {Place} place */
function keyOf({ path, name }) {
  return `${path} ${name}`;
}

/**
 * @param {string} path
 * @param {ReadonlyMap<string, Module>} modules
 * @returns {Exported[]} With the places of the declarations.
 */
function exportsOf(path, modules) {
  const found = modules.get(path);
  if (found === undefined) return [];
  const { exports, exportsAll } = found;
  return [
    ...[...exports.values()].flatMap(({ isType, ...place }) => {
      const declared = resolve(place, modules);
      return declared === undefined ? [] : [{ ...declared, isType }];
    }),
    ...exportsAll.flatMap((target) => exportsOf(target, modules)),
  ];
}

/**
 * @param {Place} place
 * @param {ReadonlyMap<string, Module>} modules
 * @returns {Place | undefined} Where it is declared; undefined for what is global or of another package.
 */
function resolve({ path, name }, modules) {
  const module = modules.get(path);
  if (module === undefined || module.declarations.has(name)) return module && { path, name };
  const imported = module.imports.get(name);
  if (imported === undefined) return undefined;
  const exported = modules.get(imported.path)?.exports.get(imported.name);
  return exported && resolve(exported, modules);
}

/**
 * @param {SourceFile} file
 * @returns {Module}
 */
function readModule({ path, text }) {
  const { program, module, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const target = (/** @type {string} */ specifier) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
  const imports = new Map(
    module.staticImports.flatMap(({ moduleRequest, entries }) =>
      entries.map(({ localName, importName }) => [
        localName.value,
        { path: target(moduleRequest.value), name: importName.name ?? '*' },
      ]),
    ),
  );
  /** @type {Map<string, Exported>} */
  const exports = new Map();
  /** @type {string[]} */
  const exportsAll = [];
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, exportName, importName, localName, isType } of entries) {
      const name = exportName.name;
      if (moduleRequest !== null && name === null) exportsAll.push(target(moduleRequest.value));
      else if (moduleRequest !== null && name !== null) {
        // As if it were imported by a name that no source can have.
        const local = `export ${name}`;
        imports.set(local, { path: target(moduleRequest.value), name: importName.name ?? '*' });
        exports.set(name, { path, name: local, isType });
      } else if (name !== null) exports.set(name, { path, name: localName.name ?? '', isType });
    }
  }
  return { declarations: readDeclarations(program, text), imports, exports, exportsAll };
}

/**
 * @param {import('oxc-parser').Program} program
 * @param {string} text
 * @returns {ReadonlyMap<string, Declared>}
 */
function readDeclarations(program, text) {
  const { mentions, parameters } = readMentions(program);
  /** @type {Map<string, Declared>} */
  const declarations = new Map();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const nodes =
      declaration?.type === 'VariableDeclaration'
        ? declaration.declarations
        : declaration !== null && 'id' in declaration
          ? [declaration]
          : [];
    for (const node of nodes) {
      if (node.id?.type !== 'Identifier') continue;
      const own = new Set(parameters.filter(isIn(node)).map(({ name }) => name));
      const before = declarations.get(node.id.name);
      declarations.set(node.id.name, {
        line: before?.line ?? text.slice(0, node.start).split('\n').length,
        isGeneric:
          (node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration') &&
          Boolean(node.typeParameters),
        mentions: [
          ...(before?.mentions ?? []),
          ...mentions.filter(isIn(node)).filter(({ name }) => !own.has(name)),
        ],
      });
    }
  }
  return declarations;
}

/** @param {Span} outer */
function isIn({ start, end }) {
  return (/** @type {Span} */ inner) => start <= inner.start && inner.end <= end;
}

/**
 * The types that a file names where declarations have them, and the names of its type parameters.
 *
 * @param {import('oxc-parser').Program} program
 * @returns {{ mentions: readonly (Mention & Span)[]; parameters: readonly (Span & { name: string })[] }}
 */
function readMentions(program) {
  /** @type {(Span & { name: string })[]} */
  const references = [];
  /** @type {(Span & { name: string })[]} */
  const parameters = [];
  /** @type {Span[]} What no declaration has. */
  const hidden = [];
  /** @type {Span[]} */
  const ofValues = [];
  /** @type {Span[]} */
  const structures = [];
  const hide = (/** @type {Span | null | undefined} */ span) => {
    if (span) hidden.push(span);
  };
  const seeThrough = (/** @type {import('oxc-parser').TSType} */ type) => {
    if (type.type === 'TSIntersectionType') type.types.forEach(seeThrough);
    else if (type.type === 'TSUnionType') type.types.filter(isCombined).forEach(seeThrough);
    else if (type.type === 'TSParenthesizedType') seeThrough(type.typeAnnotation);
    else if (type.type === 'TSIndexedAccessType') seeThrough(type.objectType);
    else if (type.type === 'TSTypeReference') {
      structures.push(type.typeName);
      if (isUtility(type.typeName)) type.typeArguments?.params.forEach(seeThrough);
    }
  };
  const onMember = (
    /** @type {import('oxc-parser').MethodDefinition | import('oxc-parser').PropertyDefinition} */ member,
  ) => {
    if (member.accessibility === 'private' || member.key.type === 'PrivateIdentifier') hide(member);
    if (member.static || ('kind' in member && member.kind === 'constructor')) ofValues.push(member);
  };
  new Visitor({
    TSTypeReference({ typeName }) {
      const { start, end } = typeName;
      const name = typeName.type === 'TSQualifiedName' ? typeName.left : typeName;
      if (name.type === 'Identifier') references.push({ name: name.name, start, end });
    },
    TSTypeQuery({ exprName, start, end }) {
      if (exprName.type === 'Identifier') references.push({ name: exprName.name, start, end });
      structures.push({ start, end });
    },
    TSTypeParameter({ name, start, end }) {
      parameters.push({ name: name.name, start, end });
    },
    TSInterfaceHeritage({ expression, typeArguments }) {
      if (expression.type !== 'Identifier') return;
      const { name, start, end } = expression;
      references.push({ name, start, end });
      structures.push(expression);
      if (isUtility(expression)) typeArguments?.params.forEach(seeThrough);
    },
    TSTypeAliasDeclaration: ({ typeAnnotation }) => seeThrough(typeAnnotation),
    TSTypeOperator(type) {
      if (type.operator === 'keyof') structures.push(type);
    },
    TSMappedType: ({ constraint }) => void structures.push(constraint),
    TSConditionalType: ({ checkType, extendsType }) => void structures.push(checkType, extendsType),
    MethodDefinition: onMember,
    PropertyDefinition(member) {
      onMember(member);
      if (member.typeAnnotation) hide(member.value);
    },
    VariableDeclarator({ id, init }) {
      if ('typeAnnotation' in id && id.typeAnnotation) hide(init);
    },
    TSClassImplements: hide,
    BlockStatement: hide,
    ArrowFunctionExpression: ({ body }) => hide(body),
    AssignmentPattern: ({ right }) => hide(right),
    CallExpression: hide,
    NewExpression: hide,
    TSAsExpression: ({ expression }) => hide(expression),
    TSSatisfiesExpression: ({ typeAnnotation }) => hide(typeAnnotation),
  }).visit(program);
  const mentions = references
    .filter((reference) => !hidden.some((span) => isIn(span)(reference)))
    .map((reference) => ({
      ...reference,
      isStructure: structures.some((span) => isIn(span)(reference)),
      isOfValue: ofValues.some((span) => isIn(span)(reference)),
    }));
  return { mentions, parameters };
}

/** @param {import('oxc-parser').TSType} type */
function isCombined({ type }) {
  return type === 'TSParenthesizedType' || type === 'TSIntersectionType';
}

/** @param {import('oxc-parser').TSTypeName | import('oxc-parser').Expression} name */
function isUtility(name) {
  return name.type === 'Identifier' && utilities.has(name.name);
}

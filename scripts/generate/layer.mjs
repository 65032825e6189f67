import { concepts, pageUrl } from './concept.mjs';
import { methodsText } from './methods.mjs';
import { parserText } from './parsers.mjs';
import { memberTexts, typeText } from './types.mjs';

/** The names our written files offer to the generated ones. */
const written = {
  '@parley/wire': ['Invalid'],
  'method-table.ts': ['methodTable', 'orEmpty', 'RequestTable', 'NotificationTable'],
  'parsing.ts': [
    'parseString',
    'parseList',
    'parseListLeniently',
    'parseRecord',
    'without',
    'amended',
    'withUnknown',
  ],
  'value.ts': ['isObject', 'isUint16', 'isUint32', 'isUint64', 'isInt32', 'isInt64'],
};

const aboutParsers = `
// Each parser returns the value itself when nothing in it had to change, so unknown fields and \`_meta\` are kept;
// a copy when a null was dropped, something invalid was left out where the schema allows that, or something was
// unknown; and \`Invalid\` otherwise.`.trim();

/**
 * One schema, as files. What the layer below has as well is imported from there.
 *
 * Types have a file for each concept, and are gone when the program runs. All parsers are in one file, because
 * importing a module costs half a millisecond, regardless of its content.
 */
export class Layer {
  /** @readonly */
  #folder;
  /** @readonly */
  #model;
  /** @readonly */
  #below;
  /** What is written here, and not below. @readonly */
  #own;
  /** @readonly @type {{ path: string, page: string, names: string[], text: string }[]} */
  #files = [];
  /** Where each name is found. @readonly @type {Map<string, string>} */
  #places;

  constructor({ folder, schema, model, below }) {
    this.#folder = folder;
    this.#model = model;
    this.#below = below;
    this.#own = changedNames(model, below?.model ?? {});
    this.#places = new Map([...writtenPlaces(), ...(below?.places ?? [])]);

    const parts = concepts
      .map((concept) => ({
        concept,
        names: Object.keys(concept.types).filter((name) => this.#own.has(name)),
      }))
      .filter(({ names }) => names.length > 0);
    for (const { concept, names } of parts) {
      const types = names.flatMap((name) => [
        typeText(name, model, concept),
        ...this.#members(name, concept),
      ]);
      this.#add(concept.name, concept.page, types);
    }
    const parsers = parts.flatMap(({ names }) => names.map((name) => parserText(name, model)));
    this.#add('parsers', 'protocol/schema', [aboutParsers, ...parsers]);
    this.#add('methods', 'protocol/overview', [methodsText(schema, model)]);
  }

  get model() {
    return this.#model;
  }

  get places() {
    return this.#places;
  }

  /** @returns {Record<string, string>} */
  files(header) {
    const files = this.#files.map(({ path, page, names, text }) => {
      const top = `${header}\n// ${pageUrl({ page }, this.#below !== undefined)}`;
      return [path, `${top}\n\n${this.#imports(path, names, text)}\n\n${text}\n`];
    });
    return Object.fromEntries(files);
  }

  /** The generated half of a package entry: every name, from where it is. */
  entry(path, header) {
    const generated = [...this.#places].filter(([, from]) => !(from in written));
    const exports = grouped(generated).map(
      ([from, names]) => `export ${list(names)} from '${relative(path, from)}';`,
    );
    return { [path]: `${header}\n\n${exports.join('\n')}\n` };
  }

  /** The members of a union, save those which the layer below has, word for word. */
  #members(name, concept) {
    const known = this.#below?.members(name, concept) ?? {};
    return Object.entries(this.members(name, concept))
      .filter(
        ([member, text]) => known[member] !== text || mentioned(text).some((each) => this.#own.has(each)),
      )
      .map(([, text]) => text);
  }

  members(name, concept) {
    const union = this.#model[name];
    return union?.kind === 'union' ? memberTexts(name, union, this.#model, concept) : {};
  }

  #add(name, page, texts) {
    const path = `${this.#folder}/${name}.ts`;
    const text = texts.join('\n\n');
    const exported = text.matchAll(/^export (?:type|interface|function|const) (\w+)/gm);
    const names = Array.from(exported, (match) => match[1]);
    const taken = new Set(this.#files.flatMap((file) => file.names));
    const twice = names.filter((each, at) => names.indexOf(each) !== at || taken.has(each));
    if (twice.length > 0) throw new Error(`${path} writes what is written: ${twice.join(', ')}`);
    for (const each of names) this.#places.set(each, path);
    this.#files.push({ path, page, names, text });
  }

  #imports(path, own, text) {
    const foreign = mentioned(text).filter((name) => this.#places.has(name) && !own.includes(name));
    const places = foreign.map((name) => [name, this.#places.get(name)]);
    return grouped(places)
      .map(([from, names]) => `import ${list(names)} from '${relative(path, from)}';`)
      .join('\n');
  }
}

function writtenPlaces() {
  return Object.entries(written).flatMap(([path, names]) => names.map((name) => [name, path]));
}

/** What is new or different above, and what says so. */
function changedNames(model, below) {
  const names = Object.keys(model);
  const changed = new Set(
    names.filter((name) => JSON.stringify(model[name]) !== JSON.stringify(below[name])),
  );
  for (let before = -1; before !== changed.size;) {
    before = changed.size;
    const followers = names.filter((name) => references(model[name]).some((each) => changed.has(each)));
    for (const name of followers) changed.add(name);
  }
  return changed;
}

function references(definition) {
  const found = [];
  JSON.stringify(definition, (key, value) => {
    if (key === 'includes' || (key === 'items' && Array.isArray(value))) found.push(...value);
    if (value?.kind === 'ref') found.push(value.name);
    return value;
  });
  return found;
}

/** The names in a text, without those in comments and strings. */
function mentioned(text) {
  const code = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '');
  return [...new Set(code.match(/(?<![.\w])[A-Za-z]\w*/g))];
}

/** Names by where they are found, in order. */
function grouped(places) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const [name, from] of places.toSorted()) groups.set(from, [...(groups.get(from) ?? []), name]);
  return [...groups].toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function list(names) {
  const isType = (name) => /^[A-Z]/.test(name) && name !== 'Invalid';
  if (names.every(isType)) return `type { ${names.join(', ')} }`;
  return `{ ${names.map((name) => (isType(name) ? `type ${name}` : name)).join(', ')} }`;
}

function relative(from, to) {
  if (to.startsWith('@')) return to;
  const [here, there] = [from.split('/').slice(0, -1), to.split('/')];
  while (here.length > 0 && here[0] === there[0]) {
    here.shift();
    there.shift();
  }
  return `${here.length === 0 ? './' : '../'.repeat(here.length)}${there.join('/')}`;
}

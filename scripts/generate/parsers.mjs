/**
 * Writes the model as straight-line functions. Each returns its value itself if nothing had to change, else a copy,
 * or an `Invalid`. What is cheap is tested in place; the rest has a function, and the same object says "unchanged".
 */

import { expected, fails, holds, oneOf } from './shapes.mjs';

/** The function which reads a type. */
export function parserText(name, model) {
  const write = new Writer(model);
  const body = write.definition(name, model[name]);
  return `/** Reads {@link ${name}}. */\nexport function parse${name}(value: unknown): ${write.result(name)} {\n${body}\n}`;
}

/** The statements of the functions, all of which read `value`. */
class Writer {
  /** @readonly */
  #model;

  constructor(model) {
    this.#model = model;
  }

  result(name) {
    const { kind, shape } = this.#model[name];
    return kind === 'alias' && shape.kind === 'any' ? 'unknown' : `${name} | Invalid`;
  }

  definition(name, definition) {
    switch (definition.kind) {
      case 'alias':
        return this.alias(definition.shape);
      case 'enum':
        return this.enumeration(definition);
      case 'scalars': {
        const tests = definition.shapes.map((shape) => `(${holds(shape, 'value')})`);
        const words = [...new Set(definition.shapes.map((shape) => expected(shape)))];
        return `if (${tests.join(' || ')}) return value as ${name};\n${fault('', oneOf(words))}`;
      }
      case 'lists':
        return this.lists(definition);
      case 'object':
        return this.object(name, definition);
      case 'either':
        return this.either(name, definition);
      case 'union':
        return this.union(name, definition);
    }
  }

  alias(shape) {
    if (shape.kind === 'any') return 'return value;';
    if (shape.kind === 'ref') return `return parse${shape.name}(value);`;
    return `return ${holds(shape, 'value')} ? value : ${invalid('', expected(shape))};`;
  }

  enumeration({ values, open, growing }) {
    if (open) return this.alias(openShape({ values }));
    const cases = values.map((value) => `case ${JSON.stringify(value)}:`).join('\n');
    const words = values.map((value) => `\`${value}\``);
    const rest = growing ? "if (typeof value === 'string') return 'unknown';\n" : '';
    return `switch (value) {\n${cases}\nreturn value;\n}\n${rest}${fault('', oneOf(words))}`;
  }

  lists({ items: [first, second], key }) {
    return `if (!Array.isArray(value)) ${fault('', 'a list')}
      const start: unknown = value[0];
      const plain = value.length === 0 || (isObject(start) && start.${key} !== undefined && start.${key} !== null);
      return plain ? parseList(value, parse${first}) : parseList(value, parse${second});`;
  }

  object(name, { fields, includes }) {
    return start(this.member({ name, fields, includes }));
  }

  /** The types whose fields stand in the same object; each gets what the one before made of it. */
  last(includes, name) {
    if (includes.length !== 1) throw new Error(`${name} includes ${includes.length} types`);
    return `return parse${includes[0]}(out) as ${name} | Invalid;`;
  }

  either(name, { members }) {
    const branches = members.map((member, at) => {
      // That the key is there is tested already.
      const own = member.fields.filter((field) => field.name !== member.key || field.shape.kind !== 'any');
      const end = member.named ? `return parse${member.name}(out);` : `return out as ${member.name};`;
      // A null which says "not this one" would still look like a key to `in`.
      const nulls = members
        .slice(0, at)
        .filter((each) => !each.nullable)
        .map((each) => `if (value.${each.key} === null) out = without(out, value, '${each.key}');`);
      return `if (${present(member.key, !member.nullable)}) {\n${declared(lines(...nulls, ...this.fields({ fields: own }), end))}\n}`;
    });
    return `if (!isObject(value)) ${fault('', 'an object')}\n${branches.join('\n')}
      ${fault('', `an object with ${oneOf(members.map(({ key }) => `\`${key}\``))}`)}`;
  }

  union(name, union) {
    const { tag, members, fallback, unknown } = union;
    const tagged = union.fields.find((field) => field.name === tag);
    const cases = members.map((member) => {
      const labels = member.tags.map((each) => `case ${JSON.stringify(each)}:`);
      return lines(...labels, this.member(member));
    });
    const known = members.flatMap((member) => member.tags).map((each) => `\`${each}\``);
    const rest = [];
    if (unknown !== undefined) {
      rest.push(
        fallback === undefined
          ? `if (typeof value.${tag} !== 'string') ${fault(tag, 'a string')}\n${this.unknown(union)}`
          : `if (typeof value.${tag} === 'string') {\n${this.unknown(union)}\n}`,
      );
    }
    if (fallback !== undefined) {
      const spoken = fallback.tags.map(
        (each) => `if (value.${tag} === ${JSON.stringify(each)}) out = without(out, value, '${tag}');`,
      );
      rest.push(...spoken, this.member(fallback));
    }
    if (rest.length === 0) rest.push(fault(tag, oneOf(known)));
    if (tagged?.required) throw new Error(`${name}: the tag is a field as well`);
    return start(lines(...this.fields(union), `switch (value.${tag}) {`, ...cases, '}', ...rest));
  }

  member({ name, fields, includes }) {
    return lines(
      ...this.fields({ fields }),
      includes.length === 0 ? `return out as ${name};` : this.last(includes, name),
    );
  }

  fields({ fields }) {
    return fields.map((field) => this.field(field));
  }

  unknown({ tag, base, unknown }) {
    const parts = base !== undefined || unknown.includes.length > 0 ? '...out, ' : '';
    const made = (from) => `return { ${from}${tag}: '${unknown.tag}', raw: value } as ${unknown.name};`;
    if (unknown.includes.length === 0) return made(parts);
    return `const known = parse${unknown.includes[0]}(out);
      if (known instanceof Invalid) return known;
      ${made('...known, ')}`;
  }

  field(field) {
    if (field.shape.kind === 'any') {
      return field.required ? `if (value.${field.name} === undefined) ${fault(field.name, 'a value')}` : '';
    }
    const plain = this.plain(field.shape);
    return plain === undefined ? this.parsedField(field) : this.plainField(field, plain);
  }

  plainField({ name, required, nullable, clears, onError, onNull }, shape) {
    const wrong = fails(shape, `value.${name}`);
    if (required) {
      if (onError || onNull || nullable) throw new Error(`${name}: a required scalar with a default`);
      return when(wrong, fault(name, expected(shape)));
    }
    const drop = `out = without(out, value, '${name}');`;
    const refuse = fault(name, expected(shape));
    const test = `${present(name, clears)} && ${group(wrong)}`;
    if (onError) return when(test, drop);
    if (clears || ![nullable, onNull].includes(true)) return when(test, refuse);
    return `if (${test}) {\nif (value.${name} !== null) ${refuse}\n${drop}\n}`;
  }

  parsedField(field) {
    const { name, required, clears, shape } = field;
    const given = `value.${name}`;
    const parsed = variable(name);
    const empty = shape.kind === 'list' ? '[]' : '{}';
    const read = this.read(field, given);
    const change = (what) => `out = amended(out, value, '${name}', ${what});`;
    if (this.isGrowing(field)) {
      return lines(
        `const ${parsed} = parse${shape.name}(${given});`,
        when(`${parsed} instanceof Invalid`, `return ${parsed}.within('${name}');`),
        when(`${parsed} === 'unknown'`, `out = withUnknown(out, value, '${name}');`),
      );
    }
    const refuse = (test) =>
      when(`${test}${parsed} instanceof Invalid`, `return ${parsed}.within('${name}');`);
    const amend = (from, what, precheck) =>
      precheck === undefined
        ? `const ${parsed} = ${from};\n${when(`${parsed} !== ${given}`, change(what))}`
        : `const ${parsed} = ${from};\nif (${parsed} !== ${given}) {\n${precheck}\n${change(what)}\n}`;

    if (required && field.onError) {
      const missing = `if (${given} === undefined) ${fault(name, expected(shape))}`;
      return `${missing}\n${amend(read, `${parsed} instanceof Invalid ? ${empty} : ${parsed}`)}`;
    }
    const readRequired = field.onNull ? `${given} === null ? ${empty} : ${read}` : read;
    if (required) return amend(readRequired, parsed, refuse(''));
    const mayBeNull = [field.nullable, field.onNull].includes(true) && !clears;
    const precheck = field.onError ? undefined : refuse(mayBeNull ? `${given} !== null && ` : '');
    return `if (${present(name, clears)}) {\n${amend(read, parsed, precheck)}\n}`;
  }

  isGrowing({ required, shape }) {
    return required && shape.kind === 'ref' && this.#model[shape.name].growing === true;
  }

  read({ shape, skips }, given) {
    switch (shape.kind) {
      case 'ref':
        return `parse${shape.name}(${given})`;
      case 'list':
        return `${skips ? 'parseListLeniently' : 'parseList'}(${given}, ${this.itemParser(shape.item)})`;
      case 'record':
        return `parseRecord(${given}, ${this.itemParser(shape.value)})`;
      default:
        throw new Error(`nothing reads a ${shape.kind}`);
    }
  }

  itemParser(shape) {
    if (shape.kind === 'ref') return `parse${shape.name}`;
    if (shape.kind === 'string') return 'parseString';
    throw new Error(`nothing reads items which are ${shape.kind}`);
  }

  /** The shape behind a name, if it can be tested in place. */
  plain(shape) {
    switch (shape.kind) {
      case 'ref': {
        const target = this.#model[shape.name];
        if (target.kind === 'alias') return this.plain(target.shape);
        return target.kind === 'enum' && target.open ? openShape(target) : undefined;
      }
      case 'list':
        return undefined;
      case 'record':
        return shape.value.kind === 'any' ? shape : undefined;
      default:
        return shape;
    }
  }
}

/** What an open enumeration comes down to. */
function openShape({ values }) {
  return typeof values[0] === 'string' ? { kind: 'string' } : { kind: 'integer', format: 'int32' };
}

function lines(...parts) {
  return parts.filter((part) => part !== '').join('\n');
}

function start(body) {
  return `if (!isObject(value)) ${fault('', 'an object')}\n${declared(body)}`;
}

/** `out` is the value, until something has to change. */
function declared(body) {
  if (body.includes('out = ')) return `let out: object = value;\n${body}`;
  const simple = body.replaceAll('(out)', '(value)').replaceAll('...out', '...value');
  return /\bout\b/.test(simple) ? `const out: object = value;\n${simple}` : simple;
}

/** One line where it fits, as the formatter would write it. */
function when(test, statement) {
  const line = `if (${test}) ${statement}`;
  return line.length < 104 ? line : `if (${test}) {\n${statement}\n}`;
}

function invalid(path, words) {
  return `new Invalid(${JSON.stringify(path)}, ${JSON.stringify(words)})`;
}

function fault(path, words) {
  return `return ${invalid(path, words)};`;
}

function present(name, clears) {
  return `value.${name} !== undefined${clears ? ` && value.${name} !== null` : ''}`;
}

function group(test) {
  return test.includes('||') ? `(${test})` : test;
}

/** Names of fields which cannot be names of variables here. */
const taken = new Set(['value', 'out', 'start', 'known', 'default', 'enum', 'const', 'delete']);

function variable(name) {
  return taken.has(name) ? `${name}Value` : name;
}

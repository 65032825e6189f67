/** Writes the model as TypeScript types. */

/** The text of a type, with what is said about it and about its fields. */
export function typeText(name, model, words) {
  return definitionText(name, model[name], model, words);
}

function definitionText(name, definition, model, words) {
  const doc = comment(words.types[name]);
  switch (definition.kind) {
    case 'alias':
      return `${doc}export type ${name} = ${shapeText(definition.shape)};`;
    case 'enum': {
      const open = typeof definition.values[0] === 'string' ? 'string' : 'number';
      const values = definition.values.map((value) => JSON.stringify(value));
      const more = [
        ...(definition.open ? [`(${open} & {})`] : []),
        ...(definition.growing ? ["'unknown'"] : []),
      ];
      return `${doc}export type ${name} = ${[...values, ...more].join(' | ')};`;
    }
    case 'scalars':
      return `${doc}export type ${name} = ${[...new Set(definition.shapes.map(shapeText))].join(' | ')};`;
    case 'lists':
      return `${doc}export type ${name} = ${definition.items.map((item) => `readonly ${item}[]`).join(' | ')};`;
    case 'object':
      return doc + objectText(name, { ...definition, own: definition.fields }, name, model, words);
    case 'either': {
      const inline = definition.members.filter((member) => !member.named);
      const names = definition.members.map((member) => member.name);
      return [
        `${doc}export type ${name} = ${names.join(' | ')};`,
        ...inline.map(
          (member) =>
            comment(`A {@link ${name}} with \`${member.key}\`.`) +
            objectText(member.name, { ...member, own: member.fields }, name, model, words),
        ),
      ].join('\n\n');
    }
    case 'union':
      return `${doc}export type ${name} = ${memberNames(definition).join(' | ')};`;
  }
}

/** The types a union brings along: its base and its members, by name. */
export function memberTexts(name, union, model, words) {
  const base = union.base === undefined ? [] : [union.base];
  const shared = union.fields.filter((field) => field.name !== union.tag);
  const texts = {};
  if (union.base !== undefined) {
    texts[union.base] =
      comment(`What each {@link ${name}} has.`) +
      objectText(union.base, { own: shared, includes: [] }, name, model, words);
  }
  for (const member of union.members) {
    const tags = member.tags.map((tag) => JSON.stringify(tag)).join(' | ');
    texts[member.name] =
      comment(`A {@link ${name}} whose \`${union.tag}\` is ${quoted(member.tags)}.`) +
      tagged(member, `readonly ${union.tag}: ${tags};`);
  }
  if (union.fallback !== undefined) {
    texts[union.fallback.name] =
      comment(`A {@link ${name}} without \`${union.tag}\`.`) +
      tagged(union.fallback, `readonly ${union.tag}?: never;`);
  }
  if (union.unknown !== undefined) {
    texts[union.unknown.name] =
      comment(`A {@link ${name}} whose \`${union.tag}\` this version does not know, as it came.`) +
      tagged(
        union.unknown,
        `readonly ${union.tag}: '${union.unknown.tag}'; readonly raw: Readonly<Record<string, unknown>>;`,
      );
  }
  return texts;

  function tagged(member, tag) {
    const includes = [...member.includes, ...base];
    return objectText(member.name, { own: member.fields, includes, tag }, name, model, words);
  }
}

function memberNames(union) {
  return [...union.members, union.fallback, union.unknown].filter(Boolean).map((member) => member.name);
}

function objectText(name, { own, includes, tag = '', growing = [] }, owner, model, words) {
  const fields = own.map((field) => fieldText(field, owner, words));
  if (growing.length > 0) fields.push(`\n${comment(aboutRaw(growing))}readonly raw?: unknown;`);
  const body = `{ ${tag} ${fields.join(' ')} }`;
  const flat = includes.every((each) => isInterface(each, model));
  const parents = includes.length > 0 ? `extends ${includes.join(', ')} ` : '';
  if (flat) return `export interface ${name} ${parents}${body}`;
  return `export type ${name} = ${includes.join(' & ')} & ${body};`;
}

function isInterface(name, model) {
  const definition = model[name];
  if (definition === undefined) return true; // a base
  return definition.kind === 'object' && definition.includes.every((each) => isInterface(each, model));
}

function fieldText(field, owner, words) {
  const said = words.fields[`${owner}.${field.name}`];
  const type = shapeText(field.shape) + (field.clears ? ' | null' : '');
  return `${said === undefined ? '\n' : `\n${comment(said)}`}readonly ${field.name}${field.required ? '' : '?'}: ${type};`;
}

function shapeText(shape) {
  switch (shape.kind) {
    case 'any':
      return 'unknown';
    case 'const':
      return JSON.stringify(shape.value);
    case 'integer':
      return 'number';
    case 'ref':
      return shape.name;
    case 'list':
      return `readonly ${shapeText(shape.item)}[]`;
    case 'record':
      return `Readonly<Record<string, ${shapeText(shape.value)}>>`;
    default:
      return shape.kind;
  }
}

function aboutRaw(fields) {
  return `All of it as it came, where ${fields.map((field) => `\`${field}\``).join(' or ')} is \`unknown\`.`;
}

function quoted(tags) {
  return tags.length > 3 ? 'one of these' : tags.map((tag) => `\`${tag}\``).join(' or ');
}

function comment(text) {
  const lines = text.split('\n');
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

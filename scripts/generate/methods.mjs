/** Writes the methods: what each carries, as types, and who reads it, as tables. */

/** Who implements what the envelope of a message carries, and what the four kinds of table are called. */
const tables = [
  {
    name: 'agentRequests',
    envelope: 'ClientRequest',
    answers: 'AgentResponse',
    side: 'agent',
    says: 'Requests an agent answers.',
  },
  {
    name: 'agentNotifications',
    envelope: 'ClientNotification',
    side: 'agent',
    says: 'Notifications an agent takes.',
  },
  {
    name: 'clientRequests',
    envelope: 'AgentRequest',
    answers: 'ClientResponse',
    side: 'client',
    says: 'Requests a client answers.',
  },
  {
    name: 'clientNotifications',
    envelope: 'AgentNotification',
    side: 'client',
    says: 'Notifications a client takes.',
  },
  {
    name: 'protocolNotifications',
    envelope: undefined,
    side: 'protocol',
    says: 'Notifications of the protocol itself, in both directions.',
  },
  {
    name: 'proxyRequests',
    envelope: 'ProxyRequest',
    answers: 'ProxyResponse',
    side: 'proxy',
    says: 'Requests a proxy answers.',
  },
  {
    name: 'proxyNotifications',
    envelope: 'ProxyNotification',
    side: 'proxy',
    says: 'Notifications a proxy takes.',
  },
];

/**
 * @returns {string} the text of `methods.ts`, without imports
 */
export function methodsText(schema, model) {
  const definitions = schema.$defs;
  const present = tables.filter(({ envelope }) => envelope === undefined || envelope in definitions);
  const parts = present.map((table) => ({ table, methods: methodsOf(table, schema) }));
  checkAll(parts, definitions);
  return [
    ...parts.map(({ table, methods }) => typeTable(table, methods)),
    ...parts.map(({ table, methods }) => valueTable(table, methods, model)),
  ].join('\n\n');
}

function methodsOf({ envelope, answers, side }, { $defs: definitions, anyOf: levels }) {
  const carried =
    envelope === undefined
      ? levels.find((level) => level.title === 'ProtocolLevel').properties.params
      : definitions[envelope].properties.params;
  const results = answers === undefined ? [] : definitions[answers].anyOf[0].properties.result.anyOf;
  const resultOf = Object.fromEntries(
    results.map(nameOf).map((name) => [definitions[name]['x-method'], name]),
  );
  return carried.anyOf[0].anyOf
    .map(nameOf)
    .filter((name) => definitions[name]['x-method'] !== undefined)
    .map((params) => {
      const { 'x-method': method, 'x-side': own } = definitions[params];
      if (own !== side) throw new Error(`${params} is carried by ${envelope} and says x-side ${own}`);
      if (answers !== undefined && resultOf[method] === undefined) throw new Error(`${method} has no result`);
      return { method, params, result: resultOf[method] };
    });
}

function nameOf(choice) {
  return choice.allOf[0].$ref.replace('#/$defs/', '');
}

/** Each type with an `x-method` stands in a table. */
function checkAll(parts, definitions) {
  const listed = new Set(
    parts.flatMap(({ methods }) => methods.flatMap(({ params, result }) => [params, result])),
  );
  const lost = Object.keys(definitions).filter(
    (name) => definitions[name]['x-method'] !== undefined && !listed.has(name),
  );
  if (lost.length > 0) throw new Error(`no message carries ${lost.join(', ')}`);
}

function typeTable({ name, says }, methods) {
  const rows = methods.map(({ method, params, result }) => {
    const carries =
      result === undefined ? `params: ${params}` : `params: ${params}; readonly result: ${result}`;
    return `readonly '${method}': { readonly ${carries} };`;
  });
  return `/** ${says} */\nexport interface ${capital(name)} {\n${rows.join('\n')}\n}`;
}

function valueTable({ name, side, says }, methods, model) {
  const kind = name.endsWith('Requests') ? 'request' : 'notification';
  const rows = methods.map(({ method, params, result }) => {
    const parses = [`parseParams: ${reader(params, model)}`];
    if (result !== undefined) parses.push(`parseResult: ${reader(result, model)}`);
    return `'${method}': { side: '${side}', kind: '${kind}', ${parses.join(', ')} },`;
  });
  const type = `${kind === 'request' ? 'RequestTable' : 'NotificationTable'}<'${side}', ${capital(name)}>`;
  return `/** ${says} */\nexport const ${name}: ${type} = methodTable({\n${rows.join('\n')}\n});`;
}

/** Where nothing is required, the whole object may be left out, and peers do: some answer `null` for `{}`. */
function reader(name, model) {
  return mayBeEmpty(name, model) ? `orEmpty(parse${name})` : `parse${name}`;
}

function mayBeEmpty(name, model) {
  const { kind, fields, includes, shape } = model[name];
  if (kind === 'alias' && shape.kind === 'ref') return mayBeEmpty(shape.name, model);
  return kind === 'object' && includes.length === 0 && fields.every((field) => !field.required);
}

function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

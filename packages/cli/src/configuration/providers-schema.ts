import type { ProviderRoute } from '@parley/host';
import {
  byName,
  checked,
  either,
  isObject,
  knownFields,
  oneOf,
  optional,
  text,
  word,
  type Schema,
} from '@parley/workspace/schema';
import * as v from 'valibot';

/** Where the model providers of agents are reached, by the names of the agents and the ids of the providers. */
export type ProvidersConfiguration = ReadonlyMap<string, ReadonlyMap<string, ProviderRoute>>;

/** The same, as a file has it. */
export type ProvidersFields = ReadonlyMap<string, ReadonlyMap<string, RouteFields | 'disabled'>>;

interface RouteFields {
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers?: ReadonlyMap<string, string>;
}

const baseUrl = checked(word, (url) => {
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) return 'must be an http or https URL';
  const { username, password } = new URL(url);
  return username === '' && password === ''
    ? undefined
    : 'must not have a user name and password; use headers';
});

const route: Schema<RouteFields> = knownFields(
  {
    apiType: v.pipe(
      word,
      v.description('The API at this address: anthropic, openai, azure, vertex, bedrock, …'),
    ),
    baseUrl: v.pipe(baseUrl, v.description('Where the agent sends its requests to the provider.')),
    headers: optional(
      v.pipe(byName(text), v.description('Sent with each request. Their values are secrets.')),
    ),
  },
  () => 'unknown field, ignored',
);

/** The field `providers` of a configuration. */
export const providersSchema: Schema<ProvidersFields> = byName(
  byName(either([route, oneOf(['disabled'])], isObject)),
);

/** What a file says about providers, as agents are sent it. */
export function toProviders(given: ProvidersFields): ProvidersConfiguration {
  return new Map(
    Array.from(given, ([agent, routes]) => [
      agent,
      new Map(Array.from(routes, ([id, fields]) => [id, toRoute(fields)])),
    ]),
  );
}

function toRoute(fields: RouteFields | 'disabled'): ProviderRoute {
  if (fields === 'disabled') return fields;
  const { headers, ...others } = fields;
  return { ...others, ...(headers !== undefined && { headers: Object.fromEntries(headers) }) };
}

import type { RouteProviderParams } from '@parley/host/hub';
import { editConfiguration, fieldsOf, type RawConfiguration } from '../configuration/edit-configuration.ts';

/** Writes where an agent reaches a model provider into a configuration file. @throws {CliError} The route is invalid. */
export async function writeProvider(
  file: string,
  { agent, providerId, route }: RouteProviderParams,
): Promise<void> {
  await editConfiguration(file, (fields) => {
    const providers = fieldsOf(fields, 'providers');
    const { [providerId]: before, ...others } = fieldsOf(providers, agent);
    if (before === undefined && route === undefined) return undefined;
    const next =
      typeof route === 'object'
        ? { ...headersFor(route.baseUrl, fieldsOf({ before }, 'before')), ...route }
        : route;
    const routes = next === undefined ? others : { ...others, [providerId]: next };
    return { ...fields, providers: { ...providers, [agent]: routes } };
  });
}

/** The headers that a route had: they have keys, which are for the server that they were written for. */
function headersFor(baseUrl: string, before: RawConfiguration): RawConfiguration {
  const { headers, baseUrl: old } = before;
  const isSame = headers !== undefined && typeof old === 'string' && originOf(old) === originOf(baseUrl);
  return isSame ? { headers } : {};
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

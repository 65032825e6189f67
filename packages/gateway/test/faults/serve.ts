import { createAapClient, type AapClient } from '@parley/aap';
import {
  createAapServer,
  type AapServerLimits,
  type ServedAgent,
  type AapSessionStore,
} from '@parley/aap/server';
import { aapRoute, createGateway, makeToken, toTokenRecord } from '../../src/index.ts';

/** A gateway with one agent, and what a client needs to connect. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly client: AapClient;
}

/** Serves an agent on a port of the loopback address. */
export async function serve(
  agent: ServedAgent,
  store: AapSessionStore,
  limits: Partial<AapServerLimits> = {},
): Promise<Served> {
  const server = createAapServer([agent], { store, basePath: '/aap', limits: { quietMs: 1, ...limits } });
  const token = makeToken();
  const record = toTokenRecord(token, { name: 'test', scope: 'admin' });
  const gateway = createGateway({ port: 0, tokens: () => [record], routes: [aapRoute(server)] });
  await gateway.listen();
  const url = `${gateway.url}/aap`;
  return {
    url,
    token,
    client: createAapClient({ baseUrl: url, apiKey: token }),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await gateway.close({ graceMs: 0 });
    },
  };
}

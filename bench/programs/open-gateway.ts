import { createAapServer, type ServedAgent, type AapSessionStore } from '@parley/aap/server';
import { aapRoute, createGateway, makeToken, toTokenRecord } from '@parley/gateway';

/** Serves an agent as `parley serve` does. */
export async function openGateway(
  agent: ServedAgent,
  store: AapSessionStore,
): Promise<{ readonly url: string; readonly token: string }> {
  const server = createAapServer([agent], { store, basePath: '/aap' });
  const token = makeToken();
  const record = toTokenRecord(token, { name: 'bench', scope: 'admin' });
  const gateway = createGateway({ port: 0, tokens: () => [record], routes: [aapRoute(server)] });
  await gateway.listen();
  return { url: `${gateway.url}/aap`, token };
}

import { createAapServer, type ServedAgent } from '@parley/aap/server';
import { aapRoute, createGateway, makeToken, openAapStore, toTokenRecord } from '@parley/gateway';
import type { SharedEventLogs } from '@parley/host';

/** Serves an agent as `parley serve` does, with its sessions in a folder. */
export async function openGateway(
  agent: ServedAgent,
  folder: string,
  eventLogs?: SharedEventLogs,
): Promise<{ readonly url: string; readonly token: string }> {
  const store = await openAapStore(folder, eventLogs === undefined ? {} : { eventLogs });
  const server = createAapServer([agent], { store, basePath: '/aap' });
  const token = makeToken();
  const record = toTokenRecord(token, { name: 'bench', scope: 'admin' });
  const gateway = createGateway({ port: 0, tokens: () => [record], routes: [aapRoute(server)] });
  await gateway.listen();
  return { url: `${gateway.url}/aap`, token };
}

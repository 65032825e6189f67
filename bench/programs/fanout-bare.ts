import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fanOut, parseFanoutWork, serveFanout } from './fanout.ts';

// The least that a server of such streams can do: node:http, and one write for each event.
const server = createServer((request, response) => {
  void text(request).then((body) => {
    if (!request.url?.endsWith('/turns')) {
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"sessionId":"bare"}');
      return;
    }
    const { messages } = JSON.parse(body);
    void stream(response, String(messages[0].content));
  });
});

async function stream(response: ServerResponse, work: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await fanOut(parseFanoutWork(work), (delta) => write(response, 'text_delta', { delta }));
  await write(response, 'turn_stop', { stopReason: 'end_turn' });
  response.end();
}

function write(response: ServerResponse, event: string, data: object): Promise<void> | undefined {
  if (response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return undefined;
  return new Promise((resolve) => {
    response.once('drain', resolve);
  });
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('listens nowhere');
  serveFanout({ url: `http://127.0.0.1:${String(address.port)}`, token: '', agent: 'scripted' });
});

/**
 * What the agent starts where it cannot use MCP over HTTP: it passes standard input and output on to where the tools
 * are, and ends when either side does. The token comes in its environment, where other users of the machine do not see
 * it. As a text it needs no file, which every way of bundling would have to bring along.
 */
export const toolProcessScript = `const { PARLEY_TOOLS_URL: url, PARLEY_TOOLS_TOKEN: token } = process.env;
const fail = (reason) => {
  process.stderr.write('parley: the tools of the application: ' + reason + '\\n');
  process.exit(1);
};
require('node:http')
  .request(url, { headers: { connection: 'upgrade', upgrade: 'mcp', authorization: 'Bearer ' + token } })
  .on('error', (error) => fail(error.message))
  .on('response', ({ statusCode }) => fail('refused with status ' + statusCode))
  .on('upgrade', (response, socket, head) => {
    socket.on('error', (error) => fail(error.message)).on('close', () => process.exit());
    socket.unshift(head);
    process.stdout.on('error', () => process.exit());
    process.stdin.on('end', () => setTimeout(() => process.exit(), 1000));
    process.stdin.pipe(socket).pipe(process.stdout);
  })
  .end();
`;

/**
 * The script that an agent without MCP over HTTP starts: it connects standard input and output with the tool server,
 * and exits when either side closes. The token is in its environment, which other users cannot read. It is a string,
 * so that bundles need no extra file.
 */
export const toolProcessScript = `const { PARLEY_TOOLS_AT: at, PARLEY_TOOLS_TOKEN: token } = process.env;
const isSocket = at.startsWith('/');
const fail = (reason) => {
  process.stderr.write('parley: the tools of the application: ' + reason + '\\n');
  process.exit(1);
};
require('node:http')
  .request(isSocket ? 'http://localhost/' : at, {
    ...(isSocket && { socketPath: at }),
    // Without the proxy that variables of the environment name.
    agent: false,
    headers: { connection: 'upgrade', upgrade: 'mcp', authorization: 'Bearer ' + token },
  })
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

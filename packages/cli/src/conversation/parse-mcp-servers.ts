import type { McpServer } from '@parley/acp';
import { byName, fields, listOf, oneOf, optional, text, word } from '@parley/workspace/schema';
import { commandOrUrl } from '../configuration/command-or-url.ts';
import { parseJson, readAs } from '../configuration/read-json.ts';

const serversFile = fields({
  mcpServers: byName(
    commandOrUrl(
      fields({ command: word, args: optional(listOf(text)), env: optional(byName(text)) }),
      fields({ type: optional(oneOf(['http', 'sse'])), url: word, headers: optional(byName(text)) }),
    ),
  ),
});

/** Reads the content of a file of `--mcp-config`. */
export async function parseMcpServers(content: string, file: string): Promise<McpServer[]> {
  const { mcpServers } = readAs(serversFile, await parseJson(content, file), file).value;
  return Array.from(mcpServers, ([name, server]) => {
    if ('url' in server) {
      const { type = 'http', url, headers } = server;
      return { type, name, url, headers: toPairs(headers) };
    }
    const { command, args = [], env } = server;
    return { name, command, args, env: toPairs(env) };
  });
}

function toPairs(values: ReadonlyMap<string, string> = new Map()): { name: string; value: string }[] {
  return Array.from(values, ([name, value]) => ({ name, value }));
}

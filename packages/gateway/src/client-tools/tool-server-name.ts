/** Name of the MCP server with the application's tools. Agents make it part of the names of the tools. */
export const toolServerName = 'parley-app';

/** What agents know the MCP server of an application's tools by: a part of the names they give these. */
export const toolServerName = 'parley-app';

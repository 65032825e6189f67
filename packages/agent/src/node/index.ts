export { createNodeEnvironment } from './environment.ts';
export { serveAgent } from './serve-agent.ts';
export type { ServeAgentOptions } from './serve-agent.ts';
export { serveStdio } from './serve-stdio.ts';
export type { ServeStdioOptions } from './serve-stdio.ts';

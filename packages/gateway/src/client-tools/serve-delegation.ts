import type { DelegationOptions } from '@parley/host';
import type { ToolEndpoints } from './tool-endpoint.ts';

/** Serves the tools by which agents delegate, as those of applications are served. */
export function serveDelegation(endpoints: ToolEndpoints): Pick<DelegationOptions, 'serve' | 'toolSocket'> {
  return {
    serve: ({ name, tools, call }) =>
      endpoints.open({
        serverName: name,
        tools,
        call: (toolCall, signal) => call({ name: toolCall.name, input: toolCall.input }, signal),
      }),
    toolSocket: () => endpoints.openSocket(),
  };
}

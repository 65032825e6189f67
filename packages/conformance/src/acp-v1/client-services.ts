import { valueAt } from '@parley/wire';
import { listAt } from './json-value.ts';

/** The client's response to a request, `{result}` or `{error}`; undefined if it responds later. */
export type ClientServices = (method: string, params: unknown) => object | undefined;

/** Params of `initialize` of a client without capabilities. */
export function initializeParams(protocolVersion = 1, clientCapabilities: object = {}): object {
  return {
    protocolVersion,
    clientCapabilities,
    clientInfo: { name: 'parley-check', title: 'Parley check', version: '0.1.0' },
  };
}

/** A minimal client: it rejects each permission request, and supports no other method. */
export const leastClient: ClientServices = (method, params) =>
  method === 'session/request_permission' ? { result: { outcome: choose(params, 'reject') } } : notFound;

/** The capabilities of a client that serves everything that is stable. */
export const fullCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

/**
 * A client with simulated files and terminals. It allows requests that mention `parley-check`, as the prompts of the
 * checks do, and rejects all others.
 */
export function fullClient(): ClientServices {
  const files = new Map<unknown, string>();
  let terminals = 0;
  return (method, params) => {
    switch (method) {
      case 'session/request_permission': {
        const isOurs = JSON.stringify(valueAt(params, 'toolCall') ?? {}).includes('parley-check');
        return { result: { outcome: choose(params, isOurs ? 'allow_once' : 'reject') } };
      }
      case 'fs/read_text_file':
        return { result: { content: files.get(valueAt(params, 'path')) ?? 'one\ntwo\nthree\n' } };
      case 'fs/write_text_file':
        files.set(valueAt(params, 'path'), String(valueAt(params, 'content')));
        return { result: {} };
      case 'terminal/create':
        terminals += 1;
        return { result: { terminalId: `terminal-${String(terminals)}` } };
      case 'terminal/output':
        return { result: { output: 'parley-check\n', truncated: false, exitStatus: { exitCode: 0 } } };
      case 'terminal/wait_for_exit':
        return { result: { exitCode: 0, signal: null } };
      case 'terminal/kill':
      case 'terminal/release':
        return { result: {} };
      case 'elicitation/create':
        return { result: { action: 'decline' } };
      default:
        return notFound;
    }
  };
}

const notFound = { error: { code: -32_601, message: 'Method not found' } };

function choose(params: unknown, kind: string): object {
  const option = listAt(params, 'options').find((each) => String(valueAt(each, 'kind')).startsWith(kind));
  return option === undefined
    ? { outcome: 'cancelled' }
    : { outcome: 'selected', optionId: valueAt(option, 'optionId') };
}

import { invalidRequest } from '@parley/acp';
import { strictestChoice, type SessionOptions } from '@parley/host';
import type { NewSessionMeta } from '@parley/host/hub';
import type { ListedAgent } from './agents/hub-catalogue.ts';
import type { HubOptions } from './hub-options.ts';

/** A new session whose client may choose its sandbox. */
interface ChoosingClient {
  readonly agent: ListedAgent;
  readonly cwd: string;
  /** Whether the client may choose a sandbox that is wider than the configured one. */
  readonly mayWiden: boolean;
}

/** The sandbox that a client chose for a new session, if it did. @throws {RpcError} The configured one is stricter. */
export async function sandboxOf(
  { 'parley/sandbox': sandbox }: NewSessionMeta,
  { agent: { spec }, cwd, mayWiden }: ChoosingClient,
  { sandboxFor }: Pick<HubOptions, 'sandboxFor'>,
): Promise<Pick<SessionOptions, 'sandbox'>> {
  if (sandbox === undefined || spec === undefined) return {};
  const configured = mayWiden ? 'off' : ((await sandboxFor?.({ spec, cwd }))?.mode ?? 'off');
  if (strictestChoice([sandbox, configured]) === sandbox) return { sandbox };
  throw invalidRequest(
    `session/new: the sandbox is "${configured}" here; only a token of the scope "admin" chooses "${sandbox}"`,
  );
}

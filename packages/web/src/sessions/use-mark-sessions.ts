import { hubMethods, type SessionMark } from '@parley/host/hub';
import { useHubClient } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';

/** Marks sessions, in place of the marks that they have; `undefined` removes them. */
export type MarkSessions = (keys: readonly string[], mark: SessionMark | undefined) => void;

/** Pins and archives sessions on the hub, which informs every browser of this token. */
export function useMarkSessions(): MarkSessions {
  const client = useHubClient();
  const { attempt } = useNotices();
  return (sessionIds, mark) =>
    void attempt(client.ask(hubMethods.mark, { sessionIds, ...(mark !== undefined && { mark }) }));
}

import { hubMethods, type MachinesResult } from '@parley/host/hub';
import { useEffect, useState } from 'react';
import { useHub, useHubClient } from '../hub/use-hub.ts';

/** The machines that can run a session; undefined until the hub has said so, and where they are not wanted. */
export function useSessionMachines(key: string, isWanted: boolean): MachinesResult | undefined {
  const client = useHubClient();
  const { machines, connection } = useHub();
  const [known, setKnown] = useState<MachinesResult>();
  const version = machines
    .filter(({ silentSince }) => silentSince === undefined)
    .map(({ name, workspaces }) => [name, ...workspaces].join('\n'))
    .join('\n\n');
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    client.ask<MachinesResult>(hubMethods.machines, { sessionId: key }).then(
      (result) => {
        if (isCurrent) setKnown(result);
      },
      // It is asked again when the connection is there, or the machines are others.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [client, key, isWanted, version, connection.state]);
  return isWanted ? known : undefined;
}

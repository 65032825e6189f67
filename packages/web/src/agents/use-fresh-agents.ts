import { agentMethods } from '@parley/host/hub';
import { useEffect } from 'react';
import { useHubClient } from '../hub/use-hub.ts';

/**
 * Makes the hub look for agents that were installed or added in a terminal: now, and each time the user returns to
 * the page.
 */
export function useFreshAgents(): void {
  const client = useHubClient();
  useEffect(() => {
    const look = (): void => {
      // An agent that is not found now is found the next time.
      client.ask(agentMethods.find, {}).catch(() => undefined);
    };
    look();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [client]);
}

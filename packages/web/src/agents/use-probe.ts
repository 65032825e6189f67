import type { AgentCard, HubAgent } from '@parley/host/hub';
import { useEffect, useRef, useState } from 'react';
import { askApi } from '../hub/api.ts';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';

/** The progress of a probe. */
export type ProbeState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly seconds: number }
  /** The server rejected the probe; an agent that could not be started has a card that says so. */
  | { readonly kind: 'refused'; readonly message: string };

/** A look at an agent. */
export interface Probe {
  /** The result of the last probe. */
  readonly card: AgentCard | undefined;
  readonly state: ProbeState;
  readonly probe: () => void;
  /** Waits no longer; the agent is ended by the server. */
  readonly stop: () => void;
}

/** Probes an agent on request, one probe at a time. */
export function useProbe(agent: HubAgent): Probe {
  const { shell } = useText();
  const [card, setCard] = useState<AgentCard>();
  const [state, setState] = useState<ProbeState>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  const isRunning = state.kind === 'running';
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      setState((before) => (before.kind === 'running' ? { ...before, seconds: before.seconds + 1 } : before));
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, [isRunning]);
  const look = async (signal: AbortSignal): Promise<void> => {
    setState({ kind: 'running', seconds: 0 });
    try {
      setCard(await probeAgent(agent.name, signal));
      setState({ kind: 'idle' });
    } catch (error) {
      setState(signal.aborted ? { kind: 'idle' } : { kind: 'refused', message: failureText(error, shell) });
    }
  };
  // What was seen here, or in another tab since.
  const known = agent.card;
  const newest = known !== undefined && known.time > (card?.time ?? 0) ? known : card;
  return {
    card: newest,
    state,
    probe: () => {
      running.current?.abort();
      running.current = new AbortController();
      void look(running.current.signal);
    },
    stop: () => {
      running.current?.abort();
    },
  };
}

/** Starts an agent to find out what it offers, without sign-in and without a prompt. */
async function probeAgent(name: string, signal: AbortSignal): Promise<AgentCard> {
  return askApi(`/api/agents/${encodeURIComponent(name)}/probe`, { method: 'POST', signal });
}

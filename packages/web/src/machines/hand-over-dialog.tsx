import { hubMethods, type HubMachine, type HubSession, type MachinesResult } from '@parley/host/hub';
import { useState, type ReactElement } from 'react';
import { HubError } from '../hub/hub-error.ts';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Honest } from '../parts/honest.tsx';
import { useNotices } from '../parts/notices.tsx';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import './hand-over-dialog.css';
import { useSessionMachines } from './use-session-machines.ts';

/** Lets the user choose the machine that resumes a session. */
export function HandOverDialog({
  session,
  onClose,
}: {
  readonly session: HubSession;
  readonly onClose: () => void;
}): ReactElement {
  const { machines: text, shell } = useText();
  const client = useHubClient();
  const { notify } = useNotices();
  const { machines } = useHub();
  const { key, machine: from, state } = session;
  const able = useSessionMachines(key, true);
  const [chosen, setChosen] = useState<string>();
  const [progress, setProgress] = useState<'running' | { readonly error: unknown }>();
  const others = machines.filter(({ name, silentSince }) => name !== from && silentSince === undefined);
  const possible = others.filter((machine) => whyNot(machine, able) === undefined);
  const target = possible.find(({ name }) => name === chosen) ?? possible[0];
  // Sub-agents may work while no turn runs.
  const isTurnRunning =
    state === 'running' || state === 'waiting' || state === 'stopping' || isRefusedAsBusy(progress);
  const handOver = async (machine: string): Promise<void> => {
    setProgress('running');
    try {
      await client.ask(hubMethods.handOver, { sessionId: key, machine, stopsTurn: isTurnRunning });
      notify(text.handedOver(machine));
      onClose();
    } catch (error) {
      setProgress({ error });
    }
  };
  return (
    <Dialog title={text.handOverTitle} onClose={onClose}>
      <p>{from === undefined ? text.handOverPaused : text.handOverRunning(from)}</p>
      {isTurnRunning && (
        <p>
          <strong>{text.handOverTurn}</strong>
        </p>
      )}
      {able === undefined ? (
        <output className="soft">{text.loading}</output>
      ) : (
        <fieldset className="hand-over-choices">
          <legend className="visually-hidden">{text.choose}</legend>
          {others.map((machine) => (
            <Choice
              key={machine.name}
              machine={machine}
              able={able}
              isChosen={machine === target}
              onChoose={() => setChosen(machine.name)}
            />
          ))}
        </fieldset>
      )}
      {able !== undefined && !able.machines.some((name) => name !== from) && (
        <p>{text.noOther(able.folder)}</p>
      )}
      {typeof progress === 'object' && (
        <p role="alert" className="hand-over-failure">
          {failureText(progress.error, shell)}
        </p>
      )}
      <output className="soft">{progress === 'running' && text.handingOver}</output>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button
          type="button"
          className={isTurnRunning ? 'button button-danger' : 'button button-primary'}
          disabled={target === undefined || progress === 'running'}
          onClick={() => target !== undefined && void handOver(target.name)}
        >
          {isTurnRunning ? text.doStopAndHandOver : text.doHandOver}
        </button>
      </div>
    </Dialog>
  );
}

function isRefusedAsBusy(progress: unknown): boolean {
  const isFailure = typeof progress === 'object' && progress !== null && 'error' in progress;
  return isFailure && progress.error instanceof HubError && progress.error.reason === 'turn-running';
}

/** A machine, and why it cannot be chosen, where it cannot. */
function Choice({
  machine,
  able,
  isChosen,
  onChoose,
}: {
  readonly machine: HubMachine;
  readonly able: MachinesResult;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactElement {
  const { machines: text } = useText();
  const { name, agents } = machine;
  const reason = whyNot(machine, able);
  return (
    <label>
      <input
        type="radio"
        name="hand-over-machine"
        checked={isChosen}
        disabled={reason !== undefined}
        onChange={onChoose}
      />
      <span>
        <Honest text={name} />
      </span>
      <span className="small soft">
        {reason === undefined
          ? agents !== undefined && `${text.agents}: ${text.agentsOf(agents.used, agents.slots)}`
          : text[reason]}
      </span>
    </label>
  );
}

function whyNot(
  { name, agents }: HubMachine,
  able: MachinesResult | undefined,
): 'withoutFolder' | 'noRoom' | undefined {
  if (able?.machines.includes(name) !== true) return 'withoutFolder';
  return agents !== undefined && agents.used >= agents.slots ? 'noRoom' : undefined;
}

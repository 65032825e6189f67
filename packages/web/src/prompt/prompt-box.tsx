import type { ContentBlock, PromptResponse } from '@parley/acp';
import type { HubSession } from '@parley/host/hub';
import type { SessionState } from '@parley/host/state';
import { Eye, Square } from 'lucide-react';
import { use, useCallback, useMemo, type KeyboardEvent, type ReactElement } from 'react';
import { findFilesIn } from '../completion/find-files.ts';
import { sentPrompts } from '../draft/prompt-history.ts';
import { useHub, useHubClient } from '../hub/use-hub.ts';
import { useNotices } from '../parts/notices.tsx';
import { QueueList } from '../queue/queue-list.tsx';
import { ReadOnlyQueue } from '../queue/read-only-queue.tsx';
import { toSettings, type Setting } from '../session-settings/setting.ts';
import { SettingsBar } from '../session-settings/settings-bar.tsx';
import { StopStatus } from '../stop/stop-status.tsx';
import { stopStep, type StopStep } from '../stop/stop.ts';
import { useStop, type Stopping } from '../stop/use-stop.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/language.tsx';
import { isAmong, type Seen } from './arrival.ts';
import { OpenBoxContext } from './open-box.ts';
import { PromptEditor } from './prompt-editor.tsx';
import { isSendNowKey, toPressedKey } from './send-key.ts';
import { useSending } from './use-sending.ts';
import './prompt-box.css';

/** Whose prompts are written here. */
export interface PromptBoxProps {
  readonly sessionKey: string;
  readonly session: HubSession | undefined;
  readonly view: SessionState;
  /** A prompt is being sent that begins a turn: none runs, and none is queued. */
  readonly onTurn: () => void;
}

/** The prompt box, where prompts are written, queued and stopped; or the reason why this is not possible. */
export function PromptBox(props: PromptBoxProps): ReactElement {
  const { prompt } = useText();
  const { isObserver } = useHub();
  const { session } = props;
  const isApplication = session?.origin === 'aap';
  const closed = isObserver
    ? prompt.observer
    : isApplication
      ? prompt.application
      : session?.state === 'elsewhere' && prompt.elsewhere;
  if (closed === false) return <OpenPromptBox {...props} />;
  return (
    <>
      {session !== undefined && <ReadOnlyQueue session={session} />}
      <div className="prompt-box prompt-box-closed">
        <Eye size={16} aria-hidden />
        <p>{closed}</p>
        {isApplication && !isObserver && <StopTurn {...props} />}
      </div>
    </>
  );
}

/** Stops the turn of a session that an application prompts. */
function StopTurn({ sessionKey, session, view }: Omit<PromptBoxProps, 'onTurn'>): ReactElement | null {
  const step = stopStep(session, view);
  const { stop, isArmed } = useCancel(sessionKey, step);
  return (
    <>
      <StopButton step={step} onStop={stop} />
      <StopStatus step={step} isArmed={isArmed} />
    </>
  );
}

function useCancel(sessionKey: string, step: StopStep): Stopping {
  const client = useHubClient();
  const { attempt } = useNotices();
  return useStop(step, {
    cancel: (graceMs) => {
      void attempt(client.cancel(sessionKey, graceMs));
    },
  });
}

function StopButton({
  step,
  onStop,
}: {
  readonly step: StopStep;
  readonly onStop: () => void;
}): ReactElement | null {
  const { prompt } = useText();
  if (step === 'none') return null;
  return (
    <button type="button" className="button button-danger" onClick={onStop} disabled={step === 'agent-ended'}>
      <Square size={12} fill="currentColor" aria-hidden />
      {step === 'running' ? prompt.stop : prompt.stopNow}
    </button>
  );
}

const emptyQueue: HubSession['queue'] = [];

function OpenPromptBox({ sessionKey, session, view, onTurn }: PromptBoxProps): ReactElement {
  const { prompt, own } = useText();
  const client = useHubClient();
  const { agents } = useHub();
  const { attempt } = useNotices();
  const editor = use(OpenBoxContext);
  const state = session?.state;
  const isAway = state === 'kept';
  const queue = session?.queue ?? emptyQueue;

  const send = (blocks: readonly ContentBlock[]): Promise<PromptResponse> => {
    if (!isBusy) onTurn();
    return client.prompt(sessionKey, blocks);
  };
  const seen: Seen = { turns: view.turns, items: view.items, queue };
  const sending = useSending(seen, { prompt: send, stoppedText: prompt.stoppedBefore });

  // While its agent is being started, only who has sent a prompt knows of it.
  const isStarting = sending.isPending && (isAway || state === 'starting');
  const step = isStarting ? 'running' : stopStep(session, view);
  const { stop, isArmed } = useCancel(sessionKey, step);

  const settings = useMemo(
    () =>
      toSettings(
        {
          ...(view.modes !== undefined && { modes: view.modes }),
          ...(view.configOptions !== undefined && { configOptions: view.configOptions }),
          ...(view.models !== undefined && { models: view.models }),
        },
        own,
      ),
    [view.modes, view.configOptions, view.models, own],
  );
  const change = useCallback(
    async (setting: Setting, value: string | boolean) => {
      // Where the agent is away, this starts it.
      if (setting.by === 'mode' && typeof value === 'string') await client.setMode(sessionKey, value);
      else await client.setOption(sessionKey, setting.id, value);
    },
    [client, sessionKey],
  );

  const sendNow = (event: KeyboardEvent): void => {
    const id = isSendNowKey(toPressedKey(event.nativeEvent)) ? idToSend(event.target, queue) : undefined;
    if (id === undefined) return;
    event.preventDefault();
    void attempt(client.changeQueue(sessionKey, { kind: 'send-now', id }));
  };
  const findFiles = useMemo(() => findFilesIn({ session: sessionKey }), [sessionKey]);
  const isBusy = step !== 'none' || queue.length > 0;
  const whileBusy = session?.isQueueHeld === true ? prompt.placeholderHeld : prompt.placeholderQueue;
  const placeholder = isBusy ? whileBusy : prompt.placeholder;
  const agent = agents.find(({ name }) => name === session?.agent);
  return (
    // Its key does what a button of the queue does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="prompt-box" aria-label={prompt.title} onKeyDown={sendNow}>
      {session !== undefined && (
        <QueueList
          session={session}
          view={view}
          onChange={(changed) => attempt(client.changeQueue(sessionKey, changed))}
          onReturn={(text) => editor.current?.append(text)}
        />
      )}
      <StopStatus step={step} isArmed={isArmed} />
      <PromptEditor
        ref={editor}
        draftName={sessionKey}
        cwd={session?.cwd ?? view.cwd}
        agentName={agent?.title ?? view.agent?.info?.title ?? session?.agent}
        capabilities={view.agent?.capabilities?.promptCapabilities}
        commands={view.commands}
        findFiles={findFiles}
        history={() => sentPrompts(view)}
        onSend={sending.send}
        arrival={{
          mark: view.turns.length,
          wasSent: ({ text, mark }) => isAmong(text, mark, seen),
        }}
        sendLabel={isBusy ? prompt.queue : prompt.send}
        sendingLabel={isAway || state === 'starting' ? prompt.startingAgent : prompt.sending}
        placeholder={placeholder}
        actions={<StopButton step={step} onStop={stop} />}
      >
        <SettingsBar
          settings={settings}
          onChange={change}
          note={settingsNote(state, prompt)}
          disabled={state === 'starting' || state === undefined}
        />
      </PromptEditor>
    </section>
  );
}

/** The id of the queued prompt to send: the focused one in the list, or the first if the box is empty. */
function idToSend(target: EventTarget, queue: HubSession['queue']): string | undefined {
  if (target instanceof HTMLTextAreaElement) {
    return target.value === '' && target.matches('.prompt-editor-field') ? queue[0]?.id : undefined;
  }
  const row = target instanceof Element ? target.closest('[data-id]') : null;
  return queue.find(({ id }) => id === row?.getAttribute('data-id'))?.id;
}

/** Why settings cannot be changed now, or the consequence of a change. */
function settingsNote(state: HubSession['state'] | undefined, prompt: Texts['prompt']): string | undefined {
  if (state === 'kept') return prompt.settingsAway;
  return state === 'starting' ? prompt.settingsStarting : undefined;
}

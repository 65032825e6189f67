import type { HubQuestion, HubSession } from '@parley/host/hub';
import { toHonestLine } from '@parley/host/state';
import { useEffect, useEffectEvent, useRef, useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { HubState } from '../hub/hub-state.ts';
import { useHub } from '../hub/use-hub.ts';
import { toQuestionLine } from '../inbox/question-line.ts';
import { registerWorker } from '../push/register-worker.ts';
import { usePushed } from '../push/use-pushed.ts';
import { useText } from '../text/language.tsx';
import { hubChange } from './hub-change.ts';
import { ring } from './ring.ts';
import { SystemNotes } from './system-notes.ts';
import { useAlertChoice } from './use-alert-choice.ts';
import { useLooking } from './use-looking.ts';

/** Announces new questions and ended turns: to a screen reader, by the icon, and by notifications. */
export function HubAlerts(): ReactElement {
  const { inbox } = useText();
  const hub = useHub();
  const [, go] = useLocation();
  const [areQuestionsWanted] = useAlertChoice('questions');
  const [areTurnsWanted] = useAlertChoice('turns');
  const [isSoundWanted] = useAlertChoice('sound');
  const pushed = usePushed();
  const [said, setSaid] = useState('');
  const notes = useRef<SystemNotes>(undefined);
  const before = useRef(hub);

  useLooking();
  useEffect(() => void registerWorker(), []);

  useEffect(() => {
    const made = new SystemNotes();
    notes.current = made;
    return () => made.end();
  }, []);

  const titleOf = (key: string): string => {
    const session = hub.sessions.get(key);
    return toHonestLine(session?.title ?? session?.agent ?? '', 80);
  };
  const announceQuestion = (question: HubQuestion): void => {
    const { label, subject } = toQuestionLine(question, inbox);
    const { key, requestId } = question;
    setSaid(inbox.newQuestion(`${label} ${subject}`.trim(), titleOf(key)));
    if (!areQuestionsWanted || pushed.includes('question')) return;
    const title = inbox.noteTitle(label, titleOf(key));
    notes.current?.show({ id: requestId, title, body: subject, onClick: () => go(pathOf(key)) });
  };
  const announceTurn = ({ key, state, failure }: HubSession): void => {
    if (!areTurnsWanted || pushed.includes('finished')) return;
    const title = state === 'failed' ? inbox.turnFailed : inbox.turnFinished;
    const body = state === 'failed' ? toHonestLine(failure ?? '') : '';
    notes.current?.show({
      id: `turn ${key}`,
      title: inbox.noteTitle(title, titleOf(key)),
      body,
      onClick: () => go(pathOf(key)),
    });
  };
  const announce = useEffectEvent((now: HubState) => {
    const { asked, settled, finished } = hubChange(before.current, now);
    before.current = now;
    for (const id of settled) notes.current?.close(id);
    for (const question of asked) announceQuestion(question);
    for (const session of finished) announceTurn(session);
    if (isSoundWanted && asked.length > 0 && !document.hasFocus()) ring();
  });
  useEffect(() => announce(hub), [hub]);

  const isWaiting = hub.questions.length > 0;
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = isWaiting ? '/favicon-waiting.svg' : '/favicon.svg';
  }, [isWaiting]);

  return <output className="visually-hidden">{said}</output>;
}

function pathOf(key: string): string {
  return `/sessions/${encodeURIComponent(key)}`;
}

import { errorMessage } from '@gateway/contract/error-code';
import { isOfUser } from '../../agent/state.ts';
import type { AgentEvent, ContentPart, Mode } from '../../agent/types/index.ts';
import { safeText } from '../text/safe.ts';
import { attach, editorOf, messageOf } from '../view/editor.ts';
import { type App, columnsOf, hint, print, printText } from './app.ts';
import { textOfContent, userLines } from './transcript.ts';

const MOST = 80;

/** A bell, and a notification in the terminals that show one (OSC 9). */
function notification(title: string): string {
  return `\x07\x1b]9;${oneLine(`gw: the turn is over. ${title}`)}\x07`;
}

/** The window's title. */
function titleSequence(title: string): string {
  return `\x1b]2;${oneLine(title === '' ? 'gw' : `gw: ${title}`)}\x07`;
}

function oneLine(text: string): string {
  return safeText(text)
    .replaceAll(/[\s;]+/g, ' ')
    .slice(0, MOST);
}

export interface OwnPrompt {
  readonly prompt: string;
  readonly tools: readonly string[] | null;
}

/** Messages, turns and what ends them. */
export interface Turns {
  /** While a turn runs, it gets the message with the next results; `queued`: once it is over. */
  send(text: string, queued?: boolean): void;
  /** Runs a command of one's own: a prompt, for which a model and tools may be named. */
  runOwn(command: OwnPrompt, text: string): void;
  /** False where nothing runs. */
  interrupt(): boolean;
  cycleMode(): void;
  /** Lets the user choose an earlier message, drops what followed it, and puts it into the editor. */
  editEarlier(): void;
  /** The latest queued message, out of the queue; null where none waits. */
  unqueue(): string | null;
  focused(focused: boolean): void;
  ended(event: Extract<AgentEvent, { type: 'turn-ended' }>): void;
  /** Runs something that shows as activity, with Esc to end it. */
  run(label: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Sends the first message, or what was typed while the session was being opened. */
  start(prompt: string | null, images?: readonly ContentPart[]): void;
}

const MODES: readonly Mode[] = ['normal', 'plan', 'auto'];
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  normal: 'Normal mode: it asks before anything is changed.',
  plan: 'Plan mode: nothing is changed.',
  auto: 'Auto mode: nothing is asked; what is excluded stays excluded.',
};
/** A turn that took longer has probably been left alone: its end is announced. */
const LONG_TURN_MS = 15_000;
const TICK_MS = 100;
const REFUSED = 4;

export function createTurns(app: App): Turns {
  const { state, timers, screen } = app;
  let inFocus: boolean | null = null; // null: the terminal does not say
  let work: AbortController | null = null;

  /** A dumb terminal would show the sequence. */
  const control = (sequence: string): void => {
    if (app.device.isDumb !== true) screen.control(sequence);
  };
  const tick = (): void => {
    if (state.activity === null) return;
    state.tick += 1;
    screen.refresh();
    timers.after(TICK_MS, tick);
  };
  const begin = (label: string): void => {
    state.activity = { label, startedAt: timers.now() };
    if (!app.device.screenReader) timers.after(TICK_MS, tick);
  };
  const fail = (error: unknown): void => {
    state.activity = null;
    printText(app, `Failed: ${errorMessage(error)}`, { color: 'red' });
  };

  /** What waits goes back into the editor. */
  const takeBack = (): void => {
    const waiting = [...state.steering, ...state.queue];
    state.steering = [];
    state.queue = [];
    if (waiting.length > 0)
      state.editor = editorOf([...waiting, state.editor.text].filter((each) => each !== '').join('\n'), state.editor);
  };

  const submit = (text: string, own: OwnPrompt | null = null): void => {
    const written = own === null ? text : own.prompt;
    // Behind the message: it is what the session is about.
    const ran = app.shellOutput.splice(0).join('').trimEnd();
    const given: string | readonly ContentPart[] = messageOf(state.attachments, written);
    const message =
      ran === ''
        ? given
        : typeof given === 'string'
          ? `${given}\n\n${ran}`
          : [...given, { type: 'text' as const, text: ran }];
    print(app, userLines(text, columnsOf(app)));
    begin('Working');
    const session = app.session();
    session.submit(message, { tools: own?.tools ?? null }).catch((error: unknown) => {
      if (app.session() === session) fail(error);
    });
  };

  const next = (): void => {
    const [first, ...rest] = state.queue;
    if (first === undefined || state.activity !== null) return;
    state.queue = rest;
    app.send(first);
    next(); // a command begins no turn
  };

  const run: Turns['run'] = (label, task) => {
    const controller = new AbortController();
    work = controller;
    begin(label);
    task(controller.signal)
      .catch((error: unknown) => {
        if (!controller.signal.aborted) fail(error);
      })
      .finally(() => {
        work = null;
        state.activity = null;
        screen.refresh();
        next();
      });
  };

  return {
    send(text, queued = false) {
      if (state.activity === null) {
        submit(text);
        return;
      }
      const message = messageOf(state.attachments, text);
      // A command that waits for the end of the turn counts first: after `/clear` the message is for the new conversation.
      const isBehindCommand = state.queue.some((each) => each.startsWith('/'));
      const canSteer = !queued && !isBehindCommand && work === null && typeof message === 'string' && app.isOpen();
      if (canSteer && app.session().steer(message)) state.steering = [...state.steering, message];
      else state.queue = [...state.queue, text];
    },
    interrupt() {
      if (work !== null) {
        work.abort();
        return true;
      }
      if (state.activity === null || !app.isOpen()) return false;
      app.session().interrupt();
      // What was queued may no longer be meant: it goes back into the editor.
      takeBack();
      return true;
    },
    cycleMode() {
      const mode = MODES[(MODES.indexOf(state.mode) + 1) % MODES.length] ?? 'normal';
      state.mode = mode;
      if (app.isOpen()) app.session().setMode(mode);
      hint(app, MODE_WORDS[mode]);
    },
    editEarlier() {
      if (!app.isOpen()) return;
      const session = app.session();
      const messages = session.state.messages.flatMap((message) =>
        isOfUser(message) ? [textOfContent(message.content)] : [],
      );
      if (messages.length === 0) {
        hint(app, 'There is no earlier message.');
        return;
      }
      state.picker = {
        title: 'Edit an earlier message. What followed it is dropped from the conversation; files stay as they are.',
        items: messages,
        selected: messages.length - 1,
        choose: (index) => {
          run('Restoring', async () => {
            // Turns that became a summary are between the first message and the second.
            await session.rewind(index === 0 ? session.state.turns : messages.length - index);
            printText(
              app,
              'The conversation continues before this message, which you can edit. /redo restores the rest.',
              {
                dim: true,
              },
            );
            state.editor = editorOf(messages[index] ?? '', state.editor);
          });
        },
      };
    },
    unqueue() {
      const last = state.queue.at(-1);
      if (last !== undefined) {
        state.queue = state.queue.slice(0, -1);
        return last;
      }
      const steered = state.steering.at(-1);
      if (steered === undefined || !app.session().unsteer(steered)) return null;
      state.steering = state.steering.slice(0, -1);
      return steered;
    },
    focused(focused) {
      inFocus = focused;
    },
    ended({ outcome }) {
      const began = state.activity?.startedAt ?? timers.now();
      state.activity = null;
      if (timers.now() - began >= LONG_TURN_MS && inFocus !== true) control(notification(app.session().state.title));
      control(titleSequence(app.session().state.title));
      if (outcome.error?.revoked === true) {
        app.leave(REFUSED);
        return;
      }
      // At once: what is typed before a timer runs would be sent before the queue.
      if (outcome.status === 'completed') {
        state.queue = [...state.steering, ...state.queue];
        state.steering = [];
        next();
      } else takeBack();
    },
    start(prompt, images = []) {
      let text = prompt;
      for (const image of images) {
        const [attachments, label] = attach(state.attachments, image);
        state.attachments = attachments;
        text = `${text ?? ''} ${label}`.trim();
      }
      if (text === null) next();
      else submit(text);
    },
    run,
    runOwn: (own, text) => submit(text, own),
  };
}

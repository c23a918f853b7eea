import type { AgentSession } from '../agent/types.ts';
import { type App, columnsOf, print, printText } from './app/app.ts';
import { inBackground } from './app/background.ts';
import { COMMANDS, runCommand } from './app/commands/index.ts';
import { createCompletion } from './app/completing.ts';
import { createConsentDialog } from './app/consent.ts';
import { createEditorControl } from './app/editing.ts';
import { createKeyboard } from './app/keyboard.ts';
import { createLibraries } from './app/libraries.ts';
import { runShell } from './app/shell.ts';
import { conversationLines } from './app/transcript.ts';
import { createTurnView } from './app/turn.ts';
import { createTurns } from './app/turns.ts';
import type { Device, Host, Timers } from './device/ports.ts';
import { historyOf } from './input/history.ts';
import { createScreen } from './screen/screen.ts';
import { initialState, modelLabel } from './state/state.ts';
import { span } from './text/line.ts';
import { safeText } from './text/safe.ts';
import { frame } from './view/frame.ts';

export interface TerminalOptions {
  readonly device: Device;
  readonly timers: Timers;
  readonly host: Host;
  /** Aborted by SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal;
}

const INTERRUPTED = 130;

/**
 * An interactive session. It paints first and opens the session then, so that one can type at once.
 * @returns the exit code. Rejects where the session cannot be opened; the terminal is given back before.
 */
export async function runTerminal({ device, timers, host, interrupted }: TerminalOptions): Promise<number> {
  const state = initialState();
  const libraries = createLibraries();
  let current: AgentSession | null = null;
  let unsubscribe = (): void => undefined;
  let over = false;
  const left = Promise.withResolvers<number>();

  const screen = createScreen(device, timers, () =>
    frame(state, turnView.live(), { ...device.size(), now: timers.now(), screenReader: device.screenReader }),
  );
  const app: App = {
    state,
    screen,
    device,
    timers,
    host,
    libraries,
    shellOutput: [],
    session() {
      if (current === null) throw new Error('The session is still being opened.');
      return current;
    },
    isOpen: () => current !== null,
    use: show,
    send(text, queued = false) {
      // Until the session is open, everything waits for it, except leaving.
      if (current === null && text !== '/exit') state.queue = [...state.queue, text];
      else if (text.startsWith('!')) runShell(app, turns, text.slice(1).trim());
      else if (!runCommand(text, app, turns)) turns.send(text, queued);
      screen.refresh();
    },
    suspend() {
      if (device.suspend !== undefined) inBackground(app, () => app.lend(async () => device.suspend?.()));
    },
    async lend(work) {
      screen.close();
      close();
      try {
        return await work();
      } finally {
        // A program that ends after the terminal gives nothing back to it.
        if (!over) {
          close = open();
          screen.reopen();
        }
      }
    },
    leave: (code) => left.resolve(code),
  };
  const turns = createTurns(app);
  const turnView = createTurnView(app, (event) => turns.ended(event));
  const completion = createCompletion(app, COMMANDS);
  const keyboard = createKeyboard(app, createEditorControl(app, completion, turns), turns);

  async function show(session: AgentSession): Promise<void> {
    const before = current;
    unsubscribe();
    current = session;
    unsubscribe = session.subscribe((event) => turnView.handle(event));
    const { usage, contextTokens, cost, checklist, messages } = session.state;
    Object.assign(state, {
      model: session.model.name,
      modelHost: session.model.host ?? null,
      contextLength: session.model.contextLength,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      contextTokens,
      cost,
      checklist,
    });
    if (session.mode !== state.mode) {
      // A mode that was chosen while the session was being opened counts; a session that is resumed keeps the mode.
      if (before === null && state.mode === 'normal') state.mode = session.mode;
      else session.setMode(state.mode);
    }
    const { home, project } = host;
    const isInHome = home !== null && `${project}/`.startsWith(`${home}/`);
    const where = isInHome ? `~${project.slice(home.length)}` : project;
    print(app, [
      [
        span('gw ', { bold: true }),
        span(`${host.version} · ${safeText(`${modelLabel(state)} · ${where}`)}`, { dim: true }),
      ],
    ]);
    if (messages.length > 0) {
      const [lexer, highlight] = await Promise.all([libraries.lexer(), libraries.highlight()]);
      screen.print(conversationLines(messages, lexer, { columns: columnsOf(app), highlight }));
    } else if (before === null) printText(app, '/help shows commands and keys.', { dim: true });
    if (before !== null) await before.close();
    screen.draw();
  }

  const open = (): (() => void) =>
    device.open(
      (text) => keyboard.input(text),
      () => screen.resized(),
      () => app.leave(INTERRUPTED),
    );
  let close = open();
  interrupted.addEventListener('abort', () => app.leave(INTERRUPTED), { once: true });
  state.activity = { label: 'Starting', startedAt: timers.now() };
  screen.draw();
  try {
    inBackground(app, async () => {
      const messages = await host.history.load();
      state.history = historyOf([...messages, ...state.history.messages]);
    });
    const opening = host.open(createConsentDialog(app));
    const opened = await Promise.race([opening, left.promise]);
    if (typeof opened === 'number') {
      opening.then(({ session }) => session.close()).catch(() => undefined);
      return opened;
    }
    const { session, prompt, images = [], notices } = opened;
    await show(session);
    for (const notice of notices) printText(app, notice, { color: 'yellow' });
    state.activity = null;
    state.ownCommands = host.ownCommands?.() ?? [];
    inBackground(app, () => libraries.lexer());
    turns.start(prompt, images);
    screen.draw();
    return await left.promise;
  } finally {
    over = true;
    await turnView.idle();
    unsubscribe();
    const ended: AgentSession | null = current;
    screen.close();
    close();
    await closeSession(ended, device);
  }
}

async function closeSession(session: AgentSession | null, device: Device): Promise<void> {
  if (session === null) return;
  if (session.running) session.interrupt();
  await session.close();
  if (session.state.turns > 0) device.write(`Session ${session.state.id}. gw --resume continues it.\r\n`);
}

import type { AgentSession } from '../../agent/types/index.ts';
import { createKeptOutput } from '../../tools/jobs.ts';
import type { AskPerson, ProjectRequest } from '../../trust/sources.ts';
import type { Device, Host, Timers } from '../device/ports.ts';
import { createScreen } from '../device/screen.ts';
import { BLANK, line, span } from '../text/line.ts';
import { explicitText, safeText } from '../text/safe.ts';
import { historyOf } from '../view/editor.ts';
import { frame } from '../view/frame.ts';
import { initialState, modelLabel } from '../view/state.ts';
import { type App, columnsOf, hint, inBackground, paragraphs, print, printText } from './app.ts';
import { COMMANDS, isLeaving, runCommand } from './commands.ts';
import { createCompletion } from './completing.ts';
import { createEditorControl } from './editing.ts';
import { createKeyboard } from './keyboard.ts';
import { createLibraries } from './libraries.ts';
import { conversationLines } from './transcript.ts';
import { createTurnView } from './turn.ts';
import { createTurns, type Turns } from './turns.ts';

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
      if (current === null && !isLeaving(text)) state.queue = [...state.queue, text];
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

/** Output of a command is printed in whole lines, at most this often. */
const PRINT_MS = 50;

/** `!command`: the user's own command. The model gets its output with the next message. */
function runShell(app: App, turns: Turns, command: string): void {
  if (app.state.activity !== null) {
    hint(app, 'Your command waits for the end of the turn. Press Esc first to interrupt it.');
    return;
  }
  if (command === '') return;
  print(app, [[span('$ ', { color: 'magenta', bold: true }), span(safeText(command), { bold: true })]]);
  turns.run('Running', async (signal) => {
    let rest = '';
    const kept = createKeptOutput();
    let cancel: (() => void) | null = null;
    const flush = (all: boolean): void => {
      cancel?.();
      cancel = null;
      const end = all ? rest.length : rest.lastIndexOf('\n') + 1;
      const whole = rest.slice(0, end).replace(/\n$/, '');
      rest = rest.slice(end);
      if (end > 0) app.screen.print(whole === '' ? [BLANK] : paragraphs(whole, columnsOf(app)));
    };
    const { code, continues } = await app.host.shell(
      command,
      (chunk) => {
        rest += chunk;
        kept.add(chunk);
        cancel ??= app.timers.after(PRINT_MS, () => flush(false));
      },
      signal,
    );
    flush(true);
    const how = signal.aborted ? 'interrupted' : `exit code ${code ?? 'unknown'}`;
    app.shellOutput.push(`[I ran this command myself (${how}):]\n$ ${command}\n${kept.take().trimEnd()}\n\n`);
    if (signal.aborted) app.screen.print([line('Interrupted.', { dim: true })]);
    else if (code !== 0)
      app.screen.print([line(`Exit code ${code ?? 'unknown: a signal ended it'}.`, { color: 'red' })]);
    if (continues)
      printText(app, 'A process continues in the background. Its output is no longer shown.', { dim: true });
  });
}

/** The preselected answer comes first. */
const ANSWERS = [
  ['No', 'no'],
  ['Yes, and keep the answer for this project', 'yes'],
  ['No, and do not ask again', 'never'],
] as const;

/**
 * Asks about what a project's files add. All of it is printed, so that no window is too low for it; the question follows. Keys
 * that were typed before it appeared do not answer it.
 */
function createConsentDialog(app: App): AskPerson {
  return (request) =>
    new Promise((resolve) => {
      const { state, timers, screen } = app;
      print(app, requestLines(app, request));
      // In a low window the lines above may be out of sight.
      const [first] = request.shown;
      const host = first?.[0] === 'Host' ? ` (${first[1]})` : '';
      const what = request.kind === 'gateway' ? 'this gateway' : `the ${request.kind} ${request.name}`;
      state.questions = [
        ...state.questions,
        {
          id: `consent ${request.place} ${request.name}`,
          question: explicitText(`Agree to ${what}${host}?`),
          options: ANSWERS.map(([text]) => text),
          selected: 0,
          shownAt: timers.now(),
          settle: (text) => resolve(ANSWERS.find(([one]) => one === text)?.[1] ?? 'no'),
        },
      ];
      screen.draw();
    });
}

function requestLines(app: App, { kind, name, shown, place }: ProjectRequest) {
  const columns = columnsOf(app);
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  const what = kind === 'gateway' ? 'a gateway' : `the ${kind} ${name}`;
  return [
    ...paragraphs(explicitText(`${place}: this project adds ${what}. It has no effect unless you agree.`), columns, {
      bold: true,
    }),
    ...shown.flatMap(([label, value]) =>
      paragraphs(`  ${label.padEnd(width)}${explicitText(value).replaceAll('\n', ' ⏎ ')}`, columns),
    ),
  ];
}

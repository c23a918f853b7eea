import { forkState } from '../../agent/state.ts';
import type { AgentSession, SessionState } from '../../agent/types/index.ts';
import { expandCommand } from '../../extend/extension-files.ts';
import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';
import { VERSION } from '../../process/product.ts';
import { runTerminal } from '../../terminal/app/run.ts';
import { createDevice, paletteOf } from '../../terminal/device/device.ts';
import { createLocalHost } from '../../terminal/device/local-host.ts';
import type { Host, Timers } from '../../terminal/device/ports.ts';
import type { AskPerson } from '../../trust/sources.ts';
import type { MainOptions } from './options.ts';

/** `gw`: a session in the terminal. What reads files and makes connections is loaded after the first paint. */
export async function runInteractive(context: Context, options: MainOptions): Promise<number> {
  const { variables, homeDirectory, workingDirectory } = context.environment;
  const palette = paletteOf(variables, context.terminal.colors);
  const screenReader = palette === 'plain' || variables.has('GATEWAY_SCREEN_READER');
  const timers: Timers = {
    now: () => performance.now(),
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  return runTerminal({
    device: createDevice({ palette, screenReader }),
    timers,
    host: createHost(context, options, { home: homeDirectory, cwd: workingDirectory ?? '/' }),
    interrupted: context.interrupted(),
  });
}

/** The terminal's host on the composed sessions. The workspace is opened with the first session. */
export function createHost(
  context: Context,
  options: MainOptions,
  { home, cwd }: { home: string | null; cwd: string },
): Host {
  const { variables } = context.environment;
  let opened: Awaited<ReturnType<typeof openAll>> | null = null;
  const workspace = () => {
    if (opened === null) throw new Error('The session is still being opened.');
    return opened.workspace;
  };
  const start = (state: SessionState | null): Promise<AgentSession> => {
    if (opened === null) throw new Error('The session is still being opened.');
    return opened.openSession(opened.workspace, {
      state,
      interactive: true,
      mode: options.mode,
      asksTogether: true,
    });
  };
  const stateOf = async (id: string): Promise<SessionState> => {
    const state = await workspace().store.load(id);
    if (state === null) throw new WrongUsage(`The session ${id} no longer exists.`);
    return state;
  };
  const local = createLocalHost({ project: () => opened?.workspace.project.directory ?? cwd, cwd, home, variables });
  return {
    ...local,
    get project() {
      return local.project;
    },
    version: VERSION,
    async open(person) {
      opened = await openAll(context, options, person);
      const notices = [...opened.notices];
      const { readSavedState } = opened;
      const saved = await readSavedState(opened.workspace, options, (line) => notices.push(line));
      const state = saved === null || options.fork === null ? saved : forkState(saved, context.now());
      const prompt = await opened.workspace.firstMessage('', options.prompt);
      const images = await opened.readImages(context, options.images);
      return { session: await start(state), prompt: prompt ?? (images.length > 0 ? '' : null), images, notices };
    },
    fresh: () => start(null),
    resume: async (id) => start(await stateOf(id)),
    async fork(id) {
      const state = await workspace().store.load(id);
      if (state === null) throw new WrongUsage('There is nothing to copy yet: this session has no message.');
      return start(forkState(state, context.now()));
    },
    ownCommands: () =>
      workspace()
        .commands()
        .map(({ name, description }) => ({ name, about: description })),
    ownCommand(name, given) {
      const command = workspace()
        .commands()
        .find((one) => one.name === name);
      if (command === undefined) return null;
      return { prompt: expandCommand(command.body, given), model: command.model, tools: command.tools };
    },
    async sessions() {
      const { sessions } = await workspace().store.list();
      return sessions.filter(({ project }) => project === workspace().project.directory);
    },
    models: () => workspace().settings.models.map(({ name }) => name),
    async model(name) {
      const model = workspace().findModel(name);
      if (model !== null) return model;
      const names = workspace()
        .settings.models.map((each) => each.name)
        .join(', ');
      throw new WrongUsage(`No model is named ${name}. The configuration names: ${names}.`);
    },
    async describeConfiguration() {
      const { settings, options: given } = workspace();
      return [
        `configuration  ${given.config ?? 'found in the project and in ~/.gateway'}`,
        `gateway        ${settings.gateway ?? '(none)'}`,
        ...settings.models.map(({ name, id, address }) => `model          ${name} (${id} at ${address})`),
        `rules          ${settings.rules.length}`,
        `MCP servers    ${settings.servers.map(({ name }) => name).join(', ') || '(none)'}`,
      ];
    },
    describePermissions: async () => (await import('./permission-lines.ts')).permissionLines(workspace()),
    forgetApprovals: () => workspace().approvals.forget(),
    async signInToServer(name, show) {
      const server = workspace().settings.servers.find((one) => one.name === name);
      if (server === undefined) throw new WrongUsage(`The configuration has no MCP server named ${name}.`);
      const [{ signInToServer }, { credentialsFile }, { openBrowser }] = await Promise.all([
        import('../../mcp/sign-in.ts'),
        import('../../sign-in/credentials-file.ts'),
        import('../../sign-in/browser.ts'),
      ]);
      const { machine, environment } = context;
      const isSignedIn = await signInToServer(server, {
        signIns: credentialsFile(workspace().home).servers,
        signal: context.interrupted(),
        show(address) {
          show(address);
          openBrowser(address, machine.platform, environment.variables);
        },
      });
      return isSignedIn
        ? `Signed in to ${name}. Its tools are there with the next message.`
        : `${name} needs no sign-in.`;
    },
  };
}

/** Loads the composition and opens the workspace. */
async function openAll(context: Context, options: MainOptions, person: AskPerson) {
  const [{ openSession }, { openWorkspace, readSavedState }, { readImages }] = await Promise.all([
    import('../../compose/open-session.ts'),
    import('../../compose/workspace.ts'),
    import('./images.ts'),
  ]);
  const workspace = await openWorkspace(context, options, person);
  return { workspace, openSession, readSavedState, readImages, notices: workspace.notices() };
}

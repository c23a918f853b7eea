import { errorMessage } from '@gateway/contract/error-code';
import type { ServerStatus } from '../../../agent/types.ts';
import { pluralize } from '../../../process/pluralize.ts';
import { modelLabel } from '../../state/state.ts';
import { euros, tokens } from '../../view/status.ts';
import { type App, printText } from '../app.ts';
import { inBackground } from '../background.ts';
import type { SlashCommand } from './command.ts';

const INIT_PROMPT =
  'Look at this repository and write AGENTS.md at its root: what the project is, how it is laid out, how to build, test and check it, and the conventions that a change must keep. Read the README, the build files and the main sources first. Keep it under 80 lines. If AGENTS.md exists, improve it.';

async function useModel(app: App, name: string): Promise<void> {
  try {
    const model = await app.host.model(name);
    app.session().setModel(model);
    app.state.model = model.name;
    app.state.modelHost = model.host ?? null;
    app.state.contextLength = model.contextLength;
    printText(app, `The model is now ${model.name}.`, { dim: true });
  } catch (error) {
    printText(app, errorMessage(error), { color: 'red' });
  }
}

function serverLines({ name, how, ofProject, state, reason, tools }: ServerStatus): readonly string[] {
  const mark = ofProject ? '  (named by the project)' : '';
  return [
    `${name}  ${state}${reason === null ? '' : `: ${reason}`}${mark}`,
    `  ${how}`,
    ...tools.map((tool) => `  ${tool}`),
    ...(state === 'not started' ? ['  It starts with the next message.'] : []),
  ];
}

export const SETTINGS_COMMANDS: readonly SlashCommand[] = [
  {
    name: 'model',
    about: 'choose the model: /model, or /model NAME',
    run: async (argument, app) => {
      if (argument !== '') {
        await useModel(app, argument);
        return;
      }
      const models = app.host.models();
      app.state.picker = {
        title: 'Choose a model',
        items: models,
        selected: Math.max(0, models.indexOf(app.state.model)),
        choose: (index) => inBackground(app, () => useModel(app, models[index] ?? '')),
      };
    },
  },
  {
    name: 'config',
    about: 'show the configuration in use and where it is from',
    whileRunning: true,
    run: async (_, app) => printText(app, (await app.host.describeConfiguration()).join('\n')),
  },
  {
    name: 'mcp',
    about: 'show the MCP servers and their tools; /mcp login NAME signs in to one',
    whileRunning: true,
    run: async (argument, app) => {
      const [, name] = /^login\s+(\S+)$/.exec(argument) ?? [];
      if (name !== undefined) {
        const show = (address: string): void =>
          printText(app, `Sign in with your browser. If it does not open, open this address:\n${address}`);
        printText(app, await app.host.signInToServer(name, show));
        return;
      }
      if (argument !== '') {
        printText(app, 'Write /mcp, or /mcp login NAME.', { color: 'yellow' });
        return;
      }
      const servers = app.session().servers();
      printText(app, servers.length === 0 ? 'No MCP server is configured.' : servers.flatMap(serverLines).join('\n'));
    },
  },
  {
    name: 'permissions',
    about: 'show rules and approvals; /permissions forget removes the approvals of this project',
    whileRunning: true,
    run: async (argument, app) => {
      if (argument === 'forget') {
        const count = await app.host.forgetApprovals();
        const kept = count === 1 ? '1 approval' : `${count} approvals`;
        printText(app, `Forgotten: ${kept} of this project, and those of this session.`, { dim: true });
      } else if (argument === '') printText(app, (await app.host.describePermissions()).join('\n'));
      else printText(app, 'Write /permissions, or /permissions forget.', { color: 'yellow' });
    },
  },
  { name: 'init', about: 'let the model write AGENTS.md for this project', run: (_, app) => app.send(INIT_PROMPT) },
  {
    name: 'jobs',
    about: 'show the background commands of this session',
    whileRunning: true,
    run: (_, app) => {
      const jobs = app.session().jobs.list();
      const rows = jobs.map(({ id, command, state, exitCode }) => {
        const how = state === 'running' ? 'running' : `ended with ${exitCode ?? 'a signal'}`;
        return `${id}  ${how}  ${command.split('\n')[0] ?? ''}`;
      });
      printText(app, rows.length === 0 ? 'No command was started in the background.' : rows.join('\n'));
    },
  },
  {
    name: 'info',
    about: 'show the session, its tokens and where it is kept',
    whileRunning: true,
    run: (_, app) => {
      const { state } = app.session();
      const { usage } = state;
      const context = app.state.contextLength === null ? '' : ` of ${tokens(app.state.contextLength)}`;
      const rows = [
        `session   ${state.id}`,
        ...(state.parent === null ? [] : [`copy of   ${state.parent}`]),
        `title     ${state.title || '(none yet)'}`,
        `project   ${state.project}`,
        `model     ${modelLabel(app.state)}`,
        `mode      ${app.state.mode}`,
        `turns     ${state.turns}`,
        `tokens    ${tokens(usage.inputTokens)} in, ${tokens(usage.outputTokens)} out, ${pluralize(usage.calls, 'call')}`,
        ...(state.cost === null ? [] : [`cost      ${euros(state.cost)}, by the prices in the configuration`]),
        `context   ${tokens(app.state.contextTokens)}${context} tokens`,
        `record    ~/.gateway/record/${state.id}.jsonl`,
      ];
      printText(app, rows.join('\n'));
    },
  },
];

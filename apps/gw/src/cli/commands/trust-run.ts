import { realpathSync } from 'node:fs';
import { openProjectTrust } from '../../compose/session-options.ts';
import { findProject } from '../../files/project.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed } from '../../process/fault.ts';
import { pluralize } from '../../process/pluralize.ts';
import { explicitText } from '../../terminal/text/safe.ts';
import type { Consent } from '../../trust/consents.ts';
import { type KnownRequest, nameOf, type Trust } from '../../trust/open.ts';
import type { ProjectRequest, Row } from '../../trust/sources.ts';
import { EXIT } from '../command/command.ts';
import { askOnLine } from './pr-git.ts';

export async function runTrust(
  context: Context,
  { yes, revoke }: { readonly yes: boolean; readonly revoke: boolean },
): Promise<number> {
  const { environment, terminal } = context;
  const { homeDirectory: home, workingDirectory } = environment;
  if (home === null || workingDirectory === null)
    throw new CommandFailed(
      'You have no home directory, or the current directory is gone. Set HOME, or change directory.',
    );
  const project = await findProject(realpathSync.native(workingDirectory), environment.userId);
  const trust = await openProjectTrust(context, project, home, null);
  const consents = await trust.consents();
  if (revoke) {
    const count = await consents.revoke();
    await terminal.write(`Forgot ${pluralize(count, 'answer')} for ${project.directory}.\n`);
    return EXIT.done;
  }
  if (yes) await trust.agree();
  await terminal.write(overviewOf(project.directory, trust, await consents.read()));
  const isOpen = trust.requests.some(({ answer }) => answer === null);
  if (isOpen && terminal.input && terminal.error) await trust.ask(askOnLine(terminal, { isShown: true }));
  return EXIT.done;
}

function overviewOf(project: string, { requests, refusals }: Trust, kept: readonly Consent[]): string {
  const isAsked = ({ kind, name }: Consent): boolean =>
    requests.some((one) => one.answer !== null && one.kind === kind && one.name === name);
  const earlier = kept.filter((one) => !isAsked(one));
  const sections = [
    requests.length === 0
      ? [`${project} adds nothing that sends data or runs programs.`]
      : [`What ${project} adds:`, ...requests.flatMap((one) => ['', ...requestLines(one)])],
    refusals.length === 0
      ? []
      : ['', 'Refused:', ...refusals.map(({ place, what, reason }) => `  ${place}: ${what}. ${reason}`)],
    earlier.length === 0
      ? []
      : [
          '',
          'Answered before, for content that the project does not have now:',
          ...earlier.map(({ kind, name, answer, at }) => `  ${kind} ${name}: ${ANSWERS[answer]}, ${at.slice(0, 10)}`),
        ],
  ];
  return sections
    .flat()
    .map((line) => `${explicitText(line)}\n`)
    .join('');
}

const ANSWERS = { yes: 'you agreed', never: 'you declined' } as const;

function requestLines(request: KnownRequest): readonly string[] {
  const state = request.answer === null ? 'not answered: it has no effect' : ANSWERS[request.answer];
  return [`  ${nameOf(request)}, ${request.place}: ${state}`, ...rowsOf(request)];
}

function rowsOf({ shown }: ProjectRequest): readonly string[] {
  const width = Math.max(...shown.map(([label]) => label.length));
  return shown.map(([label, value]: Row) => `    ${label.padEnd(width)}  ${value.replaceAll('\n', ' ⏎ ')}`);
}

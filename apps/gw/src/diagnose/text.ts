import { wrap } from '../process/wrap.ts';
import { agentsLines } from './agents.ts';
import { certificatesLines } from './certificates.ts';
import { configurationLines } from './configuration.ts';
import { directoryLines } from './directories.ts';
import { instructionsLines } from './instructions.ts';
import { machineLines, terminalLines } from './machine.ts';
import type { Finding, Line } from './probe.ts';
import { projectLines } from './project.ts';
import { proxiesLines } from './proxies.ts';
import type { Report } from './report.ts';
import { toolsLines } from './tools.ts';

/** The report as a person reads it. */
export function reportText(report: Report): string {
  const { machine, findings } = report;
  const none: readonly Line[] = [['File', 'none: no config.yaml in the directories listed above']];
  const parts: readonly (readonly [title: string, lines: readonly Line[]])[] = [
    ['This machine', machineLines(machine)],
    ['Terminal', terminalLines(report.terminal)],
    ['Network', [...proxiesLines(report.proxies), ...certificatesLines(report.authorities)]],
    ['Tools', toolsLines(report.tools)],
    ['Project', projectLines(report.project)],
    ['Directories', report.directories.flatMap(directoryLines)],
    ['Configuration', report.configurations.length === 0 ? none : report.configurations.flatMap(configurationLines)],
    ['Agents', agentsLines(report.agents)],
    ['Instructions', instructionsLines(report.instructions)],
  ];
  return [
    `Diagnostic report of gw ${machine.client}, ${machine.clock}`,
    '',
    'It was written on this machine and not sent anywhere. Read it before you share it.',
    'Left out are secrets, values of variables, and your name; ~ is your home.',
    ...section('Findings', findings.length === 0 ? ['Nothing was found wrong.'] : findings.flatMap(findingLines)),
    ...parts.flatMap(([title, lines]) => section(title, lines.map(formatLine))),
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ['', title, '-'.repeat(title.length), ...lines];
}

function findingLines({ grade, what, where, fix }: Finding, at: number): readonly string[] {
  const number = `${at + 1}.`.padEnd(4);
  return [`${number}${what} (${grade})`, `    Where: ${where}`, `    Fix:   ${fix}`];
}

function formatLine([label, text]: Line): string {
  return `${label.padEnd(19)} ${text}`;
}

/** The label of a line; continued lines are indented to its end. */
const LABEL = /^(?:\d+\. +| {4}(?:Where|Fix): +| {20}|(?=.{20}\S)(?:\S.{0,17}? {2,}|\S{19} ))/;

/**
 * The report, wrapped between words for a terminal.
 * @param columns null: it is not shown in a terminal.
 */
export function inColumns(report: string, columns: number | null): string {
  const lines = report.split('\n').map((line) => wrap(line, columns, LABEL.exec(line)?.[0].length ?? 0));
  return lines.join('\n');
}

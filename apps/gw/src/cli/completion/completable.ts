import type { Command } from '../command/command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command to complete, as the list of commands has it. */
export interface Completable {
  readonly name: string;
  readonly group: string;
  readonly about: string;
  readonly load: () => Promise<Command>;
}
